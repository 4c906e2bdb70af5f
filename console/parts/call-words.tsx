import type { CallRecord, Claim } from '../api/shapes.ts'
import type { Meaning } from './badge.tsx'
import { visibleLine } from './visible-text.ts'

/** The name of a tool; those of our own contract without it. */
export const toolOf = ({ tool }: Pick<CallRecord, 'tool'>): string => tool.replace(/^toolwright\//, '')

/** What a call is about, in one line of code. */
export function targetOf({ input, claims = [] }: Pick<CallRecord, 'input' | 'claims'>): string {
  const { command, path, pattern, name, query, url, symbol, id, action } = Object(input)
  const said = [command, url, pattern, symbol, query, path, name].find(each => typeof each === 'string' && each !== '')
  const text = said ?? resourcesOf(claims) ?? id ?? action ?? ''
  return visibleLine(String(text)).slice(0, 400)
}

function resourcesOf(claims: readonly Claim[]): string | undefined {
  const places = [...new Set(claims.map(({ resource }) => (resource === '' ? '.' : resource)))]
  const [first, ...more] = places
  return first === undefined ? undefined : more.length === 0 ? first : `${first} and ${more.length} more`
}

/** Why an agent made the call, in its words. */
export function reasonOf(input: unknown): string | undefined {
  const { justification, reason, why, description } = Object(input)
  const said = [justification, reason, why, description].find(each => typeof each === 'string' && each.trim() !== '')
  return said === undefined ? undefined : visibleLine(String(said)).slice(0, 400)
}

const REFUSED = new Set(['denied', 'rejected', 'outside_workspace', 'budget_exceeded', 'unauthorized'])

/** The state of a call: its colour, and who or what decided, in words. */
export function stateOf(call: CallRecord): readonly [Meaning, string] {
  const { ok, code, approval, dryRun, withheld, changed = [] } = call
  if (!ok && code !== undefined && REFUSED.has(code)) return ['refused', refusalOf(call)]
  if (!ok) return ['failed', code === undefined || code === 'exit' ? 'failed' : code.replaceAll('_', ' ')]
  if (withheld !== undefined) return ['quiet', 'withheld']
  if (toolOf(call) === 'undo' && changed.length > 0 && !dryRun) return ['changed', 'undone']
  if (dryRun) return ['quiet', 'dry run']
  if ((call.exitCode ?? 0) !== 0) return ['failed', `exit ${call.exitCode}`]
  if (!approval) return ['quiet', 'allowed']
  if (approval.answer === 'rule') return ['allowed', 'by rule']
  return ['allowed', `by ${personOf(approval.by)}${approval.hunks ? `, ${approval.hunks.length} hunks` : ''}`]
}

function refusalOf({ code, message = '' }: CallRecord): string {
  if (code === 'rejected') return /no one answered|no one can/.test(message) ? 'not answered' : 'refused by you'
  return code === 'denied' ? 'refused: rule' : `refused: ${code?.replaceAll('_', ' ') ?? ''}`
}

/** Whoever answers here or in a terminal is the person; other names are said. */
export const personOf = (by: string): string =>
  by.endsWith(' (http token)') ? by.replace(/ \(http token\)$/, '') : 'you'
