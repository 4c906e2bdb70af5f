import { ToolError } from '../../kernel/error.ts'
import { RECORDING_VERSION, type CallLine, type Line, type SessionLine } from './recording.ts'
import { isSealed } from './seal.ts'

/** A recording, ready to be replayed. */
export interface Recording {
  /** The versions of Toolwright that made its parts. */
  readonly madeBy: readonly string[]
  readonly calls: readonly RecordedCall[]
  /** Lines that differ from the recording, to the byte. */
  readonly changed: readonly number[]
  textOf(id: string): string
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
    } else if (line.type === 'session') sessions.set(line.session, line)
    else if (line.type === 'text') texts.set(line.id, line.text)
    else {
      const session = sessions.get(line.session)
      if (!session) throw damageError(index + 1, `there is no session ${JSON.stringify(line.session)}`)
      calls.push({ line: index + 1, session, call: line })
    }
  })
  if (madeBy.size === 0) throw foreign('it is empty')
  return {
    madeBy: [...madeBy],
    calls,
    changed: changedLines,
    textOf(id) {
      const storedText = texts.get(id)
      if (storedText === undefined)
        throw new ToolError('invalid_input', `The recording has no text '${id}'`, { hint: AGAIN })
      return storedText
    },
  }
}

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
    hint: 'A recording is made by toolwright call --record FILE or toolwright mcp --record FILE',
  })

const damageError = (line: number, why: string): ToolError =>
  new ToolError('invalid_input', `The recording is damaged in line ${line}: ${why}`, { hint: AGAIN })
