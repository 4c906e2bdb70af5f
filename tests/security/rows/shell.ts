import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { dispatch } from '../../../src/surfaces/cli/dispatch.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { CannotRun, findings, type Result, type Row, type RunRow } from '../row.ts'
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
export function shellRows({ policies }: ShellPolicies): RunRow {
  const grounds = new Map<string, Promise<Ground>>()
  const run = async (row: Row): Promise<Result> => {
    const { command, policy, hard, expect, ok = [expect] } = row as ShellRow
    if (policies[policy] === undefined) throw new CannotRun(`there is no policy '${policy}'`)
    const ground = grounds.get(policy) ?? openGround(policies[policy])
    grounds.set(policy, ground)
    const { verdictOf, isRun } = await ground
    const found = findings()
    const verdict = await verdictOf(command)
    const word = verdict === 'allow' ? 'allow' : 'deny'
    found.demand(ok.includes(word), `the verdict is ${verdict}`)
    if (hard) found.demand(verdict === 'deny', 'a person could allow it')

    const alone = (await isRun(command, 'nobody')) === true
    found.demand(alone === (verdict === 'allow'), alone ? 'it ran without a yes' : 'it did not run')
    const approved = await isRun(command, 'yes to all')
    // A person is not asked about a command that cannot start.
    if (approved === 'invalid') found.demand(word === 'deny', 'it was refused as invalid')
    else found.demand(approved === (verdict !== 'deny'), approved ? 'a yes lifted a deny' : 'a yes did not help')
    return found.result(String(verdict))
  }
  const close = async (): Promise<void> => {
    for (const ground of grounds.values()) await (await ground)[Symbol.asyncDispose]()
  }
  return Object.assign(run, { close })
}

/** Where the commands of one policy are judged and called; no command runs, so none meets what another left. */
interface Ground extends AsyncDisposable {
  verdictOf(command: string): Promise<unknown>
  isRun(command: string, person: 'nobody' | 'yes to all'): Promise<boolean | 'invalid'>
}

async function openGround(commands: unknown): Promise<Ground> {
  const world = makeWorld()
  const config = join(world.home, '..', 'policy.json')
  writeFileSync(config, JSON.stringify({ policy: { commands } }))
  const judge = startJudge(world, config)
  const ran: string[] = []
  const contract = standInContract(commandTool('run', { run: command => ran.push(command) }))
  const kit = await world.open({ config, contract })
  return {
    verdictOf: judge.verdictOf,
    async isRun(command, person) {
      // A session of its own for each call: nothing that was approved before is known to it.
      const session = kit.session({ contract })
      if (person === 'yes to all') session.questions.attach(() => ({ answer: 'yes', by: 'somebody' }))
      ran.length = 0
      const { outcome } = await session.run('run', { command })
      const isInvalid = !outcome.ok && outcome.error.code === 'invalid_input'
      return isInvalid && ran.length === 0 ? 'invalid' : ran.length > 0
    },
    async [Symbol.asyncDispose]() {
      await judge.close()
      await world[Symbol.asyncDispose]()
    },
  }
}

/** One `policy check` that judges a command whenever a line comes. */
function startJudge({ root, env }: World, config: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const stdout = Object.assign(new PassThrough(), { isTTY: true })
  const terminal = { ...fakeTerminal(root, env), stdin, stdout }
  const over = dispatch('policy', ['check', '--jsonl', '--config', config], terminal).finally(() => stdout.end())
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]()
  return {
    async verdictOf(command: string): Promise<unknown> {
      stdin.write(`${JSON.stringify({ command })}\n`)
      const { value, done } = await answers.next()
      if (done) throw new Error(`policy check ended: ${terminal.err()}`)
      return JSON.parse(value).verdict
    },
    async close() {
      stdin.end()
      await over
    },
  }
}
