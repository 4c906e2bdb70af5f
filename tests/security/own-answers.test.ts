// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { workspaceState } from '../../src/machine/state/directory.ts'
import { createMcpServer } from '../../src/mcp.ts'
import { fakePerson } from '../../src/testing/index.ts'
import { CLI, connectTo } from '../mcp/connect.ts'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

/** A workspace with a question that waits in the list, and what may do everything but answer it. */
async function waitingQuestion() {
  const workspace = repository({ 'a.txt': 'one\n' })
  const asking = await workspace.open()
  const made = asking
    .session({ waitForApprovalMs: 60_000 })
    .run('write', { path: 'b.txt', content: 'b\n', expect: 'absent' })
  const list = await asking.workspace.pending()
  await expect.poll(() => list.list().length).toBe(1)
  const [question] = list.list()
  if (!question) throw new Error('A question waits')
  const state = workspaceState(workspace.path, workspace.env)
  return {
    workspace,
    state,
    id: question.id,
    expectOpen() {
      expect([list.get(question.id)?.state, existsSync(join(workspace.path, 'b.txt'))]).toEqual(['open', false])
      expect(existsSync(state.pending)).toBe(true)
    },
    async [Symbol.asyncDispose]() {
      // Outside the sandbox the same line does answer it.
      execFileSync(process.execPath, [CLI, 'approve', question.id, '--no'], { cwd: workspace.path, env: workspace.env })
      expect((await made).outcome).toMatchObject({ ok: false, error: { code: 'rejected' } })
      await asking.close()
      await workspace.remove()
    },
  }
}

const quote = (text: string): string => `'${text}'`

describe('an open question', () => {
  it('is reached by no command in the sandbox', async () => {
    await using world = await waitingQuestion()
    const kit = await world.workspace.open({
      permissions: ['exec', 'fs:write:**', 'fs:read'],
      approve: fakePerson('yes'),
    })
    const { state, id } = world
    const env = Object.entries(world.workspace.env)
      .map(([name, value]) => `${name}=${quote(value ?? '')}`)
      .join(' ')
    const node = quote(process.execPath)
    const lines = [
      `ls -a ${quote(state.path)}`,
      `cat ${quote(state.pending)}`,
      `rm -rf ${quote(state.path)}`,
      `mkdir -p ${quote(state.path)} && : > ${quote(state.pending)}`,
      `env ${env} ${node} ${quote(CLI)} approve ${id} --yes`,
      `cd ${quote(world.workspace.path)} && env ${env} ${node} ${quote(CLI)} approve ${id} --yes`,
      `${node} -e 'new (require("node:sqlite").DatabaseSync)(process.argv[1]).exec("UPDATE questions SET state = 0")' ${quote(state.pending)}`,
      `cat /proc/${process.pid}/environ /proc/${process.pid}/root${state.pending}`,
    ]
    for (const command of lines) {
      const { outcome } = await kit.run('run', { command })
      expect([command, JSON.stringify(outcome)]).toEqual([command, expect.not.stringContaining('"b.txt')])
      world.expectOpen()
    }
    await kit.run('run', { command: `${lines[4]}; ${lines[2]}; sleep 60`, background: true })
    await pause(1500)
    world.expectOpen()
    await kit.close()
  })

  it('is reached by no file tool, whatever it may write', async () => {
    await using world = await waitingQuestion()
    const kit = await world.workspace.open({
      permissions: ['exec', 'fs:write:**', 'fs:read'],
      approve: fakePerson('yes'),
    })
    const up = `../${world.state.pending.slice(world.workspace.base.length + 1)}`
    for (const path of [world.state.pending, up, `${world.workspace.path}/${up}`]) {
      const calls = [
        ['read', { path }],
        ['write', { path, content: 'x', expect: 'any' }],
        ['delete', { path }],
        ['move', { from: path, to: 'list.db' }],
        ['move', { from: 'a.txt', to: path }],
      ] as const
      for (const [tool, input] of calls) {
        const { outcome } = await kit.run(tool, input)
        expect([tool, path, outcome.ok]).toEqual([tool, path, false])
      }
      world.expectOpen()
    }
    await kit.close()
  })

  it('is answered by no tool, resource or prompt of another MCP session', async () => {
    await using world = await waitingQuestion()
    const kit = await world.workspace.open({ permissions: ['exec', 'fs:write:**'] })
    await using server = await connectTo(await createMcpServer(kit), {
      elicit: () => ({ action: 'accept', content: { answer: 'yes', id: world.id } }),
    })
    const { tools } = await server.client.listTools()
    expect(tools.filter(({ name }) => /approv|answer|confirm|grant/i.test(name))).toEqual([])
    for (const { name } of tools) {
      await server
        .call(name, { id: world.id, answer: 'yes', approve: world.id, confirmed: true })
        .catch((error: unknown) => String(error))
      world.expectOpen()
    }
    await kit.close()
  })
})
