import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Engines } from '../../engines/engines.ts'
import type { Call, Contract } from '../../kernel/contract.ts'
import type { ToolError } from '../../kernel/error.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import { INPUTS_FOLDER, rememberInput } from '../../kernel/validate.ts'
import type { OutputChunk } from '../../kernel/run-facts.ts'
import { loadContract, loadForCall, type Toolkit, type ToolkitOptions } from '../../toolkit.ts'
import { workspaceOf } from './find-workspace.ts'
import { inSession, runOptions, type CallValues } from './session.ts'
import type { TypedCommand } from './show-outcome.ts'
import { stopOnInterrupt } from './stop-on-interrupt.ts'
import { isTypedAt, say, warn, type Terminal } from './terminal.ts'
import { CALL_OPTIONS, EXIT, failureCode, isFailedAnswer, parse, UsageError } from './usage.ts'

const OPTIONS = {
  ...CALL_OPTIONS,
  contract: { type: 'string' },
  jsonl: { type: 'boolean' },
  effects: { type: 'string' },
} as const

/** One call with its session. */
interface Calling {
  readonly name: string
  readonly contract: Contract<Engines>
  readonly root: string
  readonly values: CallValues
  readonly effects?: ToolkitOptions['effects']
  /** Returns the command as typed, with another input; an ordinary call by default. */
  readonly again?: (input: object) => string
  /** Set if a command's name and options stand for the tool and its parameters. */
  readonly typed?: TypedCommand
  /** Read after the workspace is open, because standard input may be slow. */
  readonly input: () => Promise<unknown>
}

/** `toolwright call`: calls one tool from the arguments, or many from standard input in one process. */
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
    contract: values.jsonl ? await loadContract(id) : await loadTool(id, name),
    root: workspaceOf(terminal, { ...values, json: values.json === true || values.jsonl === true }),
    values,
    ...(effects !== undefined && { effects }),
    input: async () => parseJson(text === '-' ? await (await import('./read-all.ts')).readAll(terminal.stdin) : text),
  }
  if (!values.jsonl) return callOnce(calling, terminal)
  return inSession({ ...calling, isFromInput: true }, terminal, kit => callLines(kit, calling, terminal))
}

/** Loads a contract for one call of this tool, and what the build knows about its input. */
export async function loadTool(id: string, name: string, from = import.meta.url): Promise<Contract<Engines>> {
  const contract = await loadForCall(id, name)
  const tool = id === 'toolwright' ? contract.tools.find(one => one.name === name) : undefined
  if (tool)
    try {
      // The build puts this code into a folder beside the forms.
      const file = fileURLToPath(new URL(`../${INPUTS_FOLDER}/${name}.json`, from))
      rememberInput(tool, JSON.parse(readFileSync(file, 'utf8')))
    } catch {
      // Nothing is built: the schema is derived and matched.
    }
  return contract
}

/** Makes one call and shows its outcome. */
export const callOnce = (calling: Calling, terminal: Terminal): Promise<number> =>
  inSession({ ...calling, isOneCall: true }, terminal, kit => makeCall(kit, calling, terminal))

async function makeCall(kit: Toolkit, calling: Calling, terminal: Terminal): Promise<number> {
  const { name, contract, values } = calling
  const input = await calling.input()
  if (contract.id === 'toolwright' && name === 'run') (await import('./background.ts')).refuseBackground(input)
  const status = terminal.stderr.isTTY ? (await import('./status-line.ts')).statusLine(terminal) : undefined
  const isCommand = contract.tools.find(tool => tool.name === name)?.effects.includes('exec') === true
  const interrupt = isCommand ? stopOnInterrupt(terminal) : undefined
  // Other documents format a command's output themselves.
  const isLive = isCommand && contract.id === 'toolwright' && !values.json && terminal.stdout.isTTY === true
  const live = isLive ? (await import('./live-output.ts')).liveOutput(terminal) : undefined
  const onOutput = (chunk: OutputChunk): void => {
    status?.clear()
    live?.show(chunk)
  }
  const options = {
    abridged: true,
    ...runOptions(values),
    ...(status && { onProgress: status.show }),
    ...(interrupt && { signal: interrupt.signal }),
    ...(live && { onOutput }),
  }
  const run = (given: unknown) => kit.run(name, given, options).finally(status?.clear)
  const first = await run(input).finally(interrupt?.release)
  const retryInput =
    first.outcome.ok || values.yes ? undefined : await askUndecided(terminal, first.outcome.error, input)
  const { outcome, answer } = retryInput ? await run(retryInput) : first
  if (values.json) {
    say(terminal, printedLine(contract, { name, input }, answer))
    warnUnreported(terminal, outcome, answer)
  } else {
    const { showOutcome } = await import('./show-outcome.ts')
    const isFailure = exitCode(outcome, answer) !== EXIT.ok
    const { typed } = calling
    const again = calling.again ?? (await callAgain(name, values))
    const unseen = live ? live.end(outcome) : outcome
    await showOutcome(terminal, kit, name, unseen, {
      answer,
      failed: isFailure,
      input,
      values,
      again,
      ...(typed && { typed }),
    })
  }
  if (!values.json && !outcome.ok && outcome.error.code === 'unknown_tool') await suggestTool(terminal, calling)
  const isStopped = interrupt?.signal.aborted === true && !outcome.ok && outcome.error.code === 'cancelled'
  return isStopped ? EXIT.stopped : exitCode(outcome, answer)
}

async function callAgain(name: string, values: CallValues): Promise<(input: object) => string> {
  const { callLine } = await import('./command-line.ts')
  return input => callLine(name, input, values)
}

/** Suggests a tool of another contract or with a similar name. */
async function suggestTool(terminal: Terminal, { name, contract, values }: Calling): Promise<void> {
  const [{ sameWorkspace }, { lineForTool }] = await Promise.all([
    import('./command-line.ts'),
    import('./tool-command/suggest.ts'),
  ])
  const line = await lineForTool(name, contract, sameWorkspace(values))
  if (line !== undefined) warn(terminal, `Type: ${sanitize(line)}`)
}

/** Lets a person at the terminal accept what a refactoring cannot decide. Returns the input of the next call. */
async function askUndecided(terminal: Terminal, error: ToolError, input: unknown): Promise<unknown> {
  if (!error.details?.['undecided'] || !isTypedAt(terminal)) return undefined
  return (await import('./ask-undecided.ts')).askUndecided(terminal, error, input)
}

/** Writes one result line for every input line, in order. Returns the worst exit code. */
async function callLines(kit: Toolkit, { contract: own, values }: Calling, terminal: Terminal): Promise<number> {
  let worst: number = EXIT.ok
  const [{ jsonLines }, { LINE, readCallLine }] = await Promise.all([
    import('./json-lines.ts'),
    import('./call-line.ts'),
  ])
  for await (const line of jsonLines(terminal.stdin)) {
    if (line.trim() === '') continue
    const request = readCallLine(line)
    if (typeof request === 'string') {
      say(terminal, jsonLine({ ok: false, error: { code: 'invalid_line', message: request, hint: LINE } }))
      worst = Math.max(worst, EXIT.usage)
      continue
    }
    const { outcome, answer } = await kit.run(request.tool, request.input, {
      abridged: true,
      ...runOptions(values),
      ...(request.contract !== undefined && { contract: request.contract }),
      ...(request.component !== undefined && { task: request.component }),
    })
    const toolCall = { name: request.tool, input: request.input }
    const contract = request.contract === undefined ? own : await loadContract(request.contract)
    say(terminal, printedLine(contract, toolCall, answer))
    warnUnreported(terminal, outcome, answer)
    worst = Math.max(worst, exitCode(outcome, answer))
  }
  return worst
}

/** Prints warnings that a contract's answers have no field for. */
function warnUnreported(terminal: Terminal, { meta }: Outcome, answer: unknown): void {
  if ('meta' in Object(answer)) return
  for (const warning of meta.warnings ?? []) warn(terminal, `Warning: ${sanitize(warning)}`)
}

/** Formats the answer as its contract's document prints it on a command line. */
const printedLine = ({ printed }: Pick<Contract, 'printed'>, asked: Call, answer: unknown): string =>
  jsonLine(printed ? printed(asked, answer) : answer)

/** Returns the exit code. A completed call may still fail: a command that exits with 1, data that a check rejects. */
export function exitCode(outcome: Outcome, answer: unknown): number {
  if (!outcome.ok) return failureCode(outcome.error)
  return Reflect.get(Object(answer), 'success') === false || isFailedAnswer(outcome.data) ? EXIT.failed : EXIT.ok
}

async function parseJson(text: string): Promise<unknown> {
  if (ONE_PARAMETER.test(text)) return JSON.parse(text)
  const { value, problem } = (await import('../../kernel/duplicate-key.ts')).parseOnce(text)
  if (problem !== undefined) throw new UsageError(`The input ${problem}`, 'call')
  return value
}

/** Fast path for most calls: valid JSON without duplicate keys. */
const ONE_PARAMETER = /^\{"\w+":"[^"\\\p{Cc}]*"\}$/u
