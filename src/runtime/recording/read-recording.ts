import { ToolError } from '../../kernel/error.ts'
import { RECORDING_VERSION, type CallLine, type Line, type SessionLine } from './recording.ts'
import { unpack } from './pack.ts'
import { isSealed } from './seal.ts'

/** A recording, ready to be replayed. */
export interface Recording {
  /** The versions of Toolwright that made its parts. */
  readonly madeBy: readonly string[]
  readonly calls: readonly RecordedCall[]
  readonly runs: readonly RecordedRun[]
  /** Lines that differ from the recording, to the byte. */
  readonly changed: readonly number[]
  textOf(id: string): string
}

/** An agent's run; `end` is absent if its recording was cut short. */
export interface RecordedRun {
  readonly line: number
  readonly options: unknown
  readonly answers: readonly { readonly line: number; readonly answer: unknown }[]
  readonly end?: { readonly status: string; readonly output: unknown }
}

export interface RecordedCall {
  /** Its line number in the file, from 1 on. */
  readonly line: number
  readonly session: SessionLine
  readonly call: CallLine
}

/** Reads a recording; throws `invalid_input` naming the line if it is damaged, no recording, or of another version. */
export function readRecording(text: string): Recording {
  const texts = new Map<string, string>()
  const madeBy = new Set<string>()
  const calls: RecordedCall[] = []
  const changedLines: number[] = []
  let sessions = new Map<number, SessionLine>()
  const runs: Writable[] = []
  let runsByNumber = new Map<number, Writable>()
  const rows = text.split('\n')
  // Every line has a line end; text after the last one was cut off.
  if (rows.pop() !== '') throw damageError(rows.length + 1, 'it was cut off')
  rows.forEach((row, index) => {
    const line = readLine(row, index + 1)
    if (!isSealed(row)) changedLines.push(index + 1)
    if (index === 0 && line.type !== 'recording') throw foreign('it does not begin like one')
    if (line.type === 'recording') {
      if (line.version !== RECORDING_VERSION)
        throw foreign(
          `its version is ${JSON.stringify(Reflect.get(line, 'version'))}, and only ${RECORDING_VERSION} is supported`,
        )
      madeBy.add(line.toolwright)
      // An appended part has sessions of its own.
      sessions = new Map()
      runsByNumber = new Map()
    } else if (line.type === 'session') sessions.set(line.session, line)
    else if (line.type === 'text') texts.set(line.id, line.text)
    else if (line.type === 'run') {
      const started: Writable = { line: index + 1, options: line.options, answers: [] }
      runs.push(started)
      runsByNumber.set(line.run, started)
    } else if (line.type === 'answer' || line.type === 'run-end') {
      const known = runsByNumber.get(line.run)
      if (!known) throw damageError(index + 1, `there is no run ${JSON.stringify(line.run)}`)
      if (line.type === 'answer') known.answers.push({ line: index + 1, answer: line.answer })
      else known.end = { status: line.status, output: line.output }
    } else {
      const session = sessions.get(line.session)
      if (!session) throw damageError(index + 1, `there is no session ${JSON.stringify(line.session)}`)
      calls.push({ line: index + 1, session, call: line })
    }
  })
  if (madeBy.size === 0) throw foreign('it is empty')
  const textOf = (id: string): string => {
    const storedText = texts.get(id)
    if (storedText === undefined)
      throw new ToolError('invalid_input', `The recording has no text '${id}'`, { hint: AGAIN })
    return storedText
  }
  return {
    madeBy: [...madeBy],
    calls,
    runs: runs.map(each => unpackedRun(each, textOf)),
    changed: changedLines,
    textOf,
  }
}

interface Writable extends Omit<RecordedRun, 'answers' | 'end'> {
  readonly answers: { readonly line: number; readonly answer: unknown }[]
  end?: RecordedRun['end']
}

/** Returns a run with its long texts in their places. */
const unpackedRun = ({ line, options, answers, end }: Writable, textOf: (id: string) => string): RecordedRun => ({
  line,
  options: unpack(options, textOf),
  answers: answers.map(one => ({ line: one.line, answer: unpack(one.answer, textOf) })),
  ...(end && { end: { status: end.status, output: unpack(end.output, textOf) } }),
})

const AGAIN = 'Record the calls again'

function readLine(row: string, number: number): Line {
  let value: unknown
  try {
    value = JSON.parse(row)
  } catch (cause) {
    if (number === 1) throw foreign('it does not begin like one')
    throw damageError(number, cause instanceof Error ? cause.message : String(cause))
  }
  if (!isLine(value))
    throw number === 1 ? foreign('it does not begin like one') : damageError(number, 'it is no line of one')
  return value
}

/** Checks the fields that a line needs to run. The rest is compared later, so it needs no check. */
function isLine(value: unknown): value is Line {
  if (!isObject(value)) return false
  switch (value['type']) {
    case 'recording':
      return 'version' in value && typeof value['toolwright'] === 'string'
    case 'text':
      return typeof value['id'] === 'string' && typeof value['text'] === 'string'
    case 'session':
      return isSession(value)
    case 'run':
    case 'answer':
      return typeof value['run'] === 'number'
    case 'run-end':
      return typeof value['run'] === 'number' && typeof value['status'] === 'string'
    case 'call':
      return isCall(value)
    default:
      return false
  }
}

function isSession({ session, contract, config, granted, id, task, workspace }: Fields): boolean {
  if (typeof session !== 'number' || !isObject(config) || !isObject(granted)) return false
  const { policy, permissions, limits, budgets, plans, approvals } = config
  if (![policy, limits, plans, approvals].every(isObject) || ![permissions, budgets].every(Array.isArray)) return false
  return [contract, id, task, workspace].every(text => typeof text === 'string')
}

function isCall({ session, contract, tool, options, clock, events }: Fields): boolean {
  if (typeof session !== 'number' || typeof contract !== 'string' || typeof tool !== 'string') return false
  if (!isObject(options) || !isObject(clock) || !Array.isArray(events)) return false
  const { now, elapsed, id, processor = [] } = clock
  return (
    [now, elapsed, id, processor].every(Array.isArray) &&
    events.every(event => isObject(event) && typeof event['on'] === 'string')
  )
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const foreign = (why: string): ToolError =>
  new ToolError('invalid_input', `This is no recording that can be replayed: ${why}`, {
    hint: 'A recording is made by toolwright call, mcp or agent with --record FILE',
  })

const damageError = (line: number, why: string): ToolError =>
  new ToolError('invalid_input', `The recording is damaged in line ${line}: ${why}`, { hint: AGAIN })
