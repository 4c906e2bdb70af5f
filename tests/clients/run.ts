import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientSetups } from '../../src/surfaces/mcp/client-setup.ts'
import { claudeCode } from './claude-code.ts'
import type { Client, Connection } from './client.ts'
import { codex } from './codex.ts'
import { startFakeModel } from './fake-model.ts'
import { installed } from './install.ts'
import { pageOf, type PlayedTask } from './page.ts'
import { connectClient, play } from './play.ts'
import { SCRIPT } from './tasks.ts'
import { openTerminal } from './terminal.ts'
import { makeWorld, PROJECT } from './world.ts'

/** `npm run clients`: real clients do the tasks with a scripted model, and what a person saw goes into docs/clients. */
const PAGES = join(import.meta.dirname, '../../docs/clients')

async function playAll(client: Client, connection: Connection): Promise<readonly PlayedTask[]> {
  await using model = await startFakeModel(SCRIPT)
  const packages = installed(`${client.package}@${client.version}`)
  using world = makeWorld({ [client.program]: client.argv(packages, model.url) })
  client.settle(world)
  using terminal = openTerminal(world.base, world.project, { ...world.env, ...client.env(model.url) })
  const stage = { client, connection, world, model, terminal }
  await connectClient(stage)
  const tasks: PlayedTask[] = []
  for (const task of connection.tasks) {
    console.log(`${client.name}, ${connection.title}: ${task.title}`)
    tasks.push([task.title, await play(stage, task)])
  }
  return tasks
}

mkdirSync(PAGES, { recursive: true })
for (const client of [claudeCode, codex]) {
  const played = []
  for (const connection of client.connections(clientSetups(['toolwright'], PROJECT)))
    played.push([connection, await playAll(client, connection)] as const)
  writeFileSync(join(PAGES, `${client.page}.md`), pageOf(client, played))
}
