import type { JournalRecord } from '../../machine/journal/chain.ts'
import { isCall, type CallRecord } from '../../machine/journal/record.ts'

/** How a call ended, as a person looks for it. */
export const CALL_STATES = ['allowed', 'answered', 'refused', 'failed'] as const

type CallState = (typeof CALL_STATES)[number]

interface CallQuery {
  readonly agent: string | undefined
  readonly state: CallState | undefined
  readonly text: string | undefined
}

/** Returns whether a record is a call of this agent, with this end, and with these words. */
export function callFilter({ agent, state, text }: CallQuery): (record: JournalRecord) => boolean {
  const words = (text ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  if (agent === undefined && state === undefined && words.length === 0) return () => true
  return record => {
    if (!isCall(record) || (agent !== undefined && !isOfAgent(record, agent))) return false
    if (state !== undefined && !endsAs(record, state)) return false
    const content = words.length > 0 ? contentOf(record) : ''
    return words.every(word => content.includes(word))
  }
}

/** Reports whether a record names this agent, or the program if it names no agent. */
export function isOfAgent({ agent, client }: Pick<CallRecord, 'agent' | 'client'>, name: string): boolean {
  const own = agent ?? client ?? COMMAND_LINE
  return own === name || (agent === undefined && own === `${name} (http token)`)
}

/** Whoever uses the command line has no other name in the record. */
const COMMAND_LINE = 'command line'

const REFUSALS: ReadonlySet<string> = new Set(['denied', 'rejected', 'outside_workspace', 'budget_exceeded'])

function endsAs({ ok, code, approval }: CallRecord, state: CallState): boolean {
  const isRefused = !ok && code !== undefined && REFUSALS.has(code)
  if (state === 'refused') return isRefused
  if (state === 'failed') return !ok && !isRefused
  const byPerson = approval !== undefined && approval.answer !== 'rule'
  return state === 'answered' ? byPerson || code === 'rejected' : ok
}

const contentOf = ({ tool, input, claims, message }: CallRecord): string =>
  `${tool} ${JSON.stringify(input) ?? ''} ${claims.map(({ resource }) => resource).join(' ')} ${message ?? ''}`.toLowerCase()

/** Longer texts of an input are left out of a row. */
const MOST_CHARACTERS = 300

/** Returns a record without what only its own page shows. */
export function rowOf(record: JournalRecord): JournalRecord {
  if (!isCall(record)) return record
  const { output: _output, printed: _printed, metrics: _metrics, input, ...rest } = record
  return { ...rest, ...(input !== undefined && { input: shortInput(input) }) }
}

function shortInput(input: unknown): unknown {
  const entries = Object.entries(Object(input))
  const isShort = (value: unknown): boolean => typeof value !== 'object' || value === null
  return Object.fromEntries(
    entries
      .filter(([, value]) => isShort(value))
      .map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, MOST_CHARACTERS) : value]),
  )
}
