import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dispatch } from '../../../src/surfaces/cli/dispatch.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { CannotRun, findings, type Row, type RunRow } from '../row.ts'
import { standInContract } from '../stand-in-contract.ts'
import { makeWorld, type World } from '../world.ts'
import { commandTool } from './command-tool.ts'

interface ShellRow extends Row {
  readonly command: string
  readonly policy: string
  /** A deny rule matches: not even a person who approves everything lets it run. */
  readonly hard?: boolean
}

export interface ShellPolicies {
  readonly policies: Readonly<Record<string, unknown>>
}

/** Asks for each command's verdict on the command line, then has a tool that stands for a shell called with it. */
export const shellRows =
  ({ policies }: ShellPolicies): RunRow =>
  async row => {
    const { command, policy, hard, expect, ok = [expect] } = row as ShellRow
    if (policies[policy] === undefined) throw new CannotRun(`there is no policy '${policy}'`)
    await using world = makeWorld()
    const config = join(world.home, '..', 'policy.json')
    writeFileSync(config, JSON.stringify({ policy: { commands: policies[policy] } }))
    const found = findings()
    const verdict = await verdictOf(world, config, command)
    const word = verdict === 'allow' ? 'allow' : 'deny'
    found.demand(ok.includes(word), `the verdict is ${verdict}`)
    if (hard) found.demand(verdict === 'deny', 'a person could allow it')

    const alone = await isRun(world, config, command, 'nobody')
    found.demand(alone === (verdict === 'allow'), alone ? 'it ran without a yes' : 'it did not run')
    const approved = await isRun(world, config, command, 'yes to all')
    found.demand(approved === (verdict !== 'deny'), approved ? 'a yes lifted a deny' : 'a yes did not help')
    return found.result(String(verdict))
  }

async function verdictOf({ root, env }: World, config: string, command: string): Promise<unknown> {
  const terminal = fakeTerminal(root, env, `${JSON.stringify({ command })}\n`)
  await dispatch('policy', ['check', '--jsonl', '--config', config], terminal)
  return JSON.parse(terminal.out()).verdict
}

async function isRun(world: World, config: string, command: string, person: 'nobody' | 'yes to all'): Promise<boolean> {
  let ran = false
  const run = (): unknown => {
    ran = true
    return {}
  }
  const kit = await world.open({ config, contract: standInContract(commandTool('run', { run })) })
  if (person === 'yes to all') kit.questions.attach(() => ({ answer: 'yes', by: 'somebody' }))
  await kit.run('run', { command })
  return ran
}
