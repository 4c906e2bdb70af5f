import type { Engines } from '../../engines/engines.ts'
import type { Call, Contract } from '../../kernel/contract.ts'
import type { ToolError } from '../../kernel/error.ts'
import { inert } from '../../kernel/inert.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import type { OutputChunk } from '../../kernel/run-facts.ts'
import {
  CONTRACT_IDS,
  loadContract,
  loadForCall,
  openToolkit,
  type Toolkit,
  type ToolkitOptions,
} from '../../toolkit.ts'
import { callLine, sameWorkspace } from './command-line.ts'
import { workspaceOf } from './find-workspace.ts'
import type { TypedCommand } from './show-outcome.ts'
import { residentAt, say, warn, type Terminal } from './terminal.ts'
import { CALL_OPTIONS, EXIT, failureCode, isFailedAnswer, parse, UsageError } from './usage.ts'

const OPTIONS = {
  ...CALL_OPTIONS,
  contract: { type: 'string' },
  jsonl: { type: 'boolean' },
  effects: { type: 'string' },
} as const

type CallValues = ReturnType<typeof parse<typeof CALL_OPTIONS>>['values']

/** One call with the session that it is made in. */
export interface Calling {
  readonly name: string
  readonly contract: Contract<Engines>
  readonly root: string
  readonly values: CallValues
  readonly effects?: ToolkitOptions['effects']
  /** The command as it was typed, with another input. */
  readonly again: (input: object) => string
  /** The command whose name and options stand for the tool and its parameters. */
  readonly typed?: TypedCommand
  /** Read when the workspace is open: standard input may be slow. */
  readonly input: () => Promise<unknown>
}

/** `toolwright call`: one tool from the arguments, or many from standard input in one process. */
export async function call(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('call', args, OPTIONS)
  if (values.jsonl ? positionals.length > 0 : positionals.length < 1 || positionals.length > 2)
    throw new UsageError(
      values.jsonl
        ? '--jsonl takes its calls from standard input'
        : 'Give a tool and its input as JSON, e.g. call read \'{"path":"README.md"}\'',
      'call',
    )
  const { effects, contract: id = 'toolwright' } = values
  if (effects !== undefined && effects !== 'off' && effects !== 'quick' && effects !== 'complete')
    throw new UsageError('--effects takes off, quick or complete', 'call')
  const [name = '', text = '{}'] = positionals
  const calling: Calling = {
    name,
    contract: values.jsonl ? await loadContract(id) : await loadForCall(id, name),
    root: workspaceOf(terminal, { ...values, json: values.json === true || values.jsonl === true }),
    values,
    ...(effects !== undefined && { effects }),
    again: input => callLine(name, input, values),
    input: async () => parseJson(text === '-' ? await (await import('./read-all.ts')).readAll(terminal.stdin) : text),
  }
  return values.jsonl ? inSession(calling, terminal, callLines) : callOnce(calling, terminal)
}

/** Makes one call and shows its outcome. */
export const callOnce = (calling: Calling, terminal: Terminal): Promise<number> =>
  inSession(calling, terminal, makeCall)

type Work = (kit: Toolkit, calling: Calling, terminal: Terminal) => Promise<number>

async function inSession(calling: Calling, terminal: Terminal, work: Work): Promise<number> {
  const { record } = calling.values
  if (record === undefined) return openFor(calling, terminal, work, {})
  const { recorded } = await import('./record.ts')
  return recorded(record, terminal, recorder => openFor(calling, terminal, work, recorder))
}

async function openFor(
  calling: Calling,
  terminal: Terminal,
  work: Work,
  recorder: Pick<ToolkitOptions, 'record'>,
): Promise<number> {
  const { contract, root, values, effects } = calling
  // With --jsonl standard input carries calls, so nobody can be asked there.
  const isOneCall = work === makeCall
  const kit = await openToolkit({
    ...recorder,
    contract,
    isBrief: true,
    resident: residentAt(terminal),
    isOneCall,
    ...(effects !== undefined && { effects }),
    root,
    env: terminal.env,
    ...(values.config !== undefined && { config: values.config }),
    ...(values['read-only'] && { readOnly: true }),
    ...(values.allow && { permissions: values.allow }),
    ...(values.component !== undefined && { task: values.component }),
    ...(values.transaction !== undefined && { transaction: values.transaction }),
    ...(values.deterministic && { deterministic: true }),
  })
  try {
    const answerer = values.yes ? ALWAYS_YES : isOneCall ? await personAt(terminal) : undefined
    if (answerer) kit.questions.attach(answerer)
    return await work(kit, calling, terminal)
  } finally {
    await kit.close()
  }
}

const ALWAYS_YES = () => ({ answer: 'yes', by: '--yes' }) as const

/** In this order: a program that calls us has neither, and opening standard input costs time. */
const personAt = async (terminal: Terminal) =>
  terminal.stderr.isTTY && terminal.stdin.isTTY ? (await import('./ask.ts')).askOn(terminal) : undefined

const runOptions = (values: CallValues) => ({
  abridged: true,
  ...(values['dry-run'] && { dryRun: true }),
  ...(values.plan !== undefined && { plan: values.plan }),
})

async function makeCall(kit: Toolkit, calling: Calling, terminal: Terminal): Promise<number> {
  const { name, contract, values } = calling
  const input = await calling.input()
  const status = terminal.stderr.isTTY ? (await import('./status-line.ts')).statusLine(terminal) : undefined
  const isCommand = contract.tools.find(tool => tool.name === name)?.effects.includes('exec') === true
  const interrupt = isCommand ? (await import('./stop-on-interrupt.ts')).stopOnInterrupt(terminal) : undefined
  // Other documents word what a command printed themselves.
  const isLive = isCommand && contract.id === 'toolwright' && !values.json && terminal.stdout.isTTY === true
  const live = isLive ? (await import('./live-output.ts')).liveOutput(terminal) : undefined
  const onOutput = (chunk: OutputChunk): void => {
    status?.clear()
    live?.show(chunk)
  }
  const options = {
    ...runOptions(values),
    ...(status && { onProgress: status.show }),
    ...(interrupt && { signal: interrupt.signal }),
    ...(live && { onOutput }),
  }
  const run = (given: unknown) => kit.run(name, given, options).finally(status?.clear)
  const first = await run(input).finally(interrupt?.release)
  const accepted = first.outcome.ok || values.yes ? undefined : await askUndecided(terminal, first.outcome.error, input)
  const { outcome, answer } = accepted ? await run(accepted) : first
  if (values.json) {
    say(terminal, printedLine(contract, { name, input }, answer))
    warnUntold(terminal, outcome, answer)
  } else {
    const { showOutcome } = await import('./show-outcome.ts')
    const failed = exitCode(outcome, answer) !== EXIT.ok
    const { again, typed } = calling
    const unseen = live ? live.end(outcome) : outcome
    await showOutcome(terminal, kit, name, unseen, { answer, failed, input, values, again, ...(typed && { typed }) })
  }
  if (!values.json && !outcome.ok && outcome.error.code === 'unknown_tool') await warnMeant(terminal, calling)
  const isStopped = interrupt?.signal.aborted === true && !outcome.ok && outcome.error.code === 'cancelled'
  return isStopped ? EXIT.stopped : exitCode(outcome, answer)
}

/** A tool that is not there is often one of another contract, or misspelled. */
async function warnMeant(terminal: Terminal, { name, contract, values }: Calling): Promise<void> {
  const line = await (await import('./tool-command/suggest.ts')).lineForTool(name, contract, sameWorkspace(values))
  if (line !== undefined) warn(terminal, `Type: ${inert(line)}`)
}

/** A person at the terminal may accept what a refactoring cannot decide; gives the input of the call that does. */
async function askUndecided(terminal: Terminal, error: ToolError, input: unknown): Promise<unknown> {
  if (!error.details?.['undecided'] || !terminal.stderr.isTTY || !terminal.stdin.isTTY) return undefined
  return (await import('./ask-undecided.ts')).askUndecided(terminal, error, input)
}

/** One result line for every line of calls, in order; the worst exit code of them all. */
async function callLines(kit: Toolkit, { contract: own, values }: Calling, terminal: Terminal): Promise<number> {
  let worst: number = EXIT.ok
  const { createInterface } = await import('node:readline')
  for await (const line of createInterface({ input: terminal.stdin, crlfDelay: Infinity })) {
    if (line.trim() === '') continue
    const request = readRequest(line)
    if (typeof request === 'string') {
      say(terminal, jsonLine({ ok: false, error: { code: 'invalid_line', message: request, hint: LINE } }))
      worst = Math.max(worst, EXIT.usage)
      continue
    }
    const { outcome, answer } = await kit.run(request.tool, request.input, {
      ...runOptions(values),
      ...(request.contract !== undefined && { contract: request.contract }),
    })
    const asked = { name: request.tool, input: request.input }
    const contract = request.contract === undefined ? own : await loadContract(request.contract)
    say(terminal, printedLine(contract, asked, answer))
    warnUntold(terminal, outcome, answer)
    worst = Math.max(worst, exitCode(outcome, answer))
  }
  return worst
}

/** Warnings that the answers of a contract have no place for. */
function warnUntold(terminal: Terminal, { meta }: Outcome, answer: unknown): void {
  if ('meta' in Object(answer)) return
  for (const warning of meta.warnings ?? []) warn(terminal, `Warning: ${inert(warning)}`)
}

/** The answer as the document of its contract prints it on a command line. */
const printedLine = ({ printed }: Pick<Contract, 'printed'>, asked: Call, answer: unknown): string =>
  jsonLine(printed ? printed(asked, answer) : answer)

const LINE = 'A line is {"tool":"…","input":{…},"contract"?:"…"}'

/** A call read from a line, or what is wrong with the line. */
function readRequest(line: string): { tool: string; input: unknown; contract?: string } | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return `This line is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  if (typeof value !== 'object' || value === null || !('tool' in value) || typeof value.tool !== 'string')
    return 'A line must be an object with "tool" and "input"'
  const unknown = Object.keys(value).filter(key => key !== 'tool' && key !== 'input' && key !== 'contract')
  if (unknown.length > 0)
    return `Unknown key ${unknown.map(key => `"${key}"`).join(', ')}; a line has "tool", "input" and "contract"`
  const input = 'input' in value ? value.input : {}
  if (!('contract' in value)) return { tool: value.tool, input }
  if (typeof value.contract !== 'string' || !CONTRACT_IDS.includes(value.contract))
    return `There is no contract ${JSON.stringify(value.contract)}; there are ${CONTRACT_IDS.join(', ')}`
  return { tool: value.tool, input, contract: value.contract }
}

/** A call may run to its end and fail all the same: a command that exits with 1, data that a check finds wrong. */
export function exitCode(outcome: Outcome, answer: unknown): number {
  if (!outcome.ok) return failureCode(outcome.error)
  return Reflect.get(Object(answer), 'success') === false || isFailedAnswer(outcome.data) ? EXIT.failed : EXIT.ok
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`The input is not JSON: ${error instanceof Error ? error.message : String(error)}`, 'call')
  }
}
