import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Connection } from './client.ts'
import type { FakeModel } from './fake-model.ts'
import type { Task } from './tasks.ts'
import type { Terminal } from './terminal.ts'
import { PROJECT, type World } from './world.ts'

/** What a person saw at one moment. */
export interface Screen {
  readonly sentence: string
  readonly shown: string
}

export interface Stage {
  readonly client: Client
  readonly connection: Connection
  readonly world: World
  readonly model: FakeModel
  readonly terminal: Terminal
}

/** Connects the client by what is printed for it: files are written, commands typed. */
export async function connectClient({ client, connection, world, terminal }: Stage): Promise<void> {
  for (const { file, text } of connection.setup) {
    if (file !== undefined) {
      world.write(join(world.project, file), `${text}\n`)
      continue
    }
    await terminal.type(text.replaceAll(PROJECT, world.project))
    await terminal.sees(/^Added /m)
  }
  await terminal.type(`clear; ${connection.command}`)
  await client.enter(terminal)
}

/** Does one task as a person would, and fails unless the file and the model got what they should. */
export async function play(stage: Stage, task: Task): Promise<readonly Screen[]> {
  const { client, connection, world, model, terminal } = stage
  const screens: Screen[] = []
  const keep = (sentence: string, screen: string) => screens.push({ sentence, shown: tidied(stage, task, screen) })
  await terminal.type(task.prompt)
  if (connection.asksItself) {
    keep(
      `${client.name} asks first, with the input of the call; answered with Enter:`,
      await terminal.sees(client.ownQuestion),
    )
    await terminal.press('Enter')
  }
  for (const [at] of task.answer === undefined ? [] : task.calls.entries()) {
    const screen = await terminal.sees(client.question, shown => tidied(stage, task, shown) !== screens.at(-1)?.shown)
    keep(`${at === 0 ? 'The question' : 'The next question'}, answered with ${keysOf(stage, task)}:`, screen)
    await pause(connection.thinkMs ?? 0)
    for (const key of client.keys[task.answer ?? 'no']) await terminal.press(key)
  }
  keep(task.effect, await terminal.sees(task.says))
  if (world.prices() !== task.leaves) throw new Error(`${client.name}, ${task.title}: the file has\n${world.prices()}`)
  if (!model.heard().includes(task.hears))
    throw new Error(`${client.name}, ${task.title}: the model did not hear '${task.hears}'`)
  return screens
}

const keysOf = ({ client }: Stage, { answer = 'no' }: Task): string =>
  client.keys[answer].map(key => (key.length === 1 ? `\`${key}\`` : key)).join(', ')

/** The screen from the prompt on, without what differs from run to run and without the line for the next prompt. */
function tidied({ client, world }: Stage, { prompt }: Task, screen: string): string {
  const lines = screen.replaceAll(world.project, PROJECT).split('\n')
  const shown = lines.slice(lines.findLastIndex(line => line.includes(prompt))).join('\n')
  const [busy = ''] = shown.split(client.idle, 1)
  return busy
    .split('\n')
    .flatMap(line => client.tidy(line)?.trimEnd() ?? [])
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
