import type { JournalRecord } from '../../machine/journal/chain.ts'
import { isIntent } from '../../machine/journal/record.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import type { Paint } from '../render/paint.ts'
import { isFields, textAt, textsIn } from '../render/shape.ts'
import { callTarget } from './call-target.ts'
import { isFailedCall } from './failed-call.ts'

/**
 * Formats a record as one line without control characters. If a call changed several files, they follow on separate
 * lines.
 */
export function logLines(record: JournalRecord, paint: Paint, { id = true }: { readonly id?: boolean } = {}): string[] {
  const time = paint('dim', shownTime(record.time))
  if (isIntent(record)) return [`${time}  … ${callName(record)} started and has not ended`]
  if (record.type !== 'call') return [`${time}  · ${sanitize(String(record.type))} ${sanitize(rest(record))}`]
  const isDone = record['ok'] === true
  const changedPaths = textsIn(record['changed']) ?? []
  const { approval } = record
  const parts = [
    `${isFailedCall(record) ? paint('red', '✗') : paint('green', '✓')} ${callName(record)}`,
    changedWords(record, changedPaths),
    isFields(approval) && approval['by'] !== undefined ? `allowed by ${sanitize(String(approval['by']))}` : '',
    isDone
      ? exitWords(record)
      : `${sanitize(String(record['code']))}: ${sanitize(String(record['message']), { max: 160 })}`,
    id ? paint('dim', idWords(record)) : '',
  ]
  const files = changedPaths.length > 1 ? changedPaths.map(path => `    ${sanitize(path)}`) : []
  return [`${time}  ${parts.filter(part => part !== '').join(' ')}`, ...files]
}

/** Returns the tool and the subject of the call. A changed file is named by the text on changes instead. */
export function callName(record: JournalRecord): string {
  const target = callTarget(record)
  const [only, ...more] = textsIn(record['changed']) ?? []
  const isSaid = more.length === 0 && only !== undefined && sanitize(only) === target
  return sanitize(String(record['tool'])) + (target === '' || isSaid ? '' : ` ${target}`)
}

/** Formats a time in local time, as `--since` and `--until` accept it. */
export function shownTime(time: string | number): string {
  const at = new Date(time)
  const local = at.getTime() - at.getTimezoneOffset() * 60_000
  if (Number.isNaN(local)) return sanitize(String(time))
  return new Date(local).toISOString().slice(0, 19).replace('T', ' ')
}

function changedWords(record: JournalRecord, [first, ...more]: readonly string[]): string {
  if (first === undefined) return ''
  const what = more.length === 0 ? sanitize(first) : `${more.length + 1} files`
  const into = changeVerb(record) === 'staged' ? ` in transaction ${sanitize(String(record['transaction']))}` : ''
  return `${changeVerb(record)} ${what}${into}`
}

/** Describes what a call did to its files. Files of a transaction change when it is committed, by that call. */
export const changeVerb = (record: JournalRecord): string =>
  record['dryRun'] ? 'would change' : record['transaction'] === undefined ? 'changed' : 'staged'

const exitWords = ({ exitCode }: JournalRecord): string =>
  typeof exitCode === 'number' && exitCode !== 0 ? `exit code ${exitCode}` : ''

/** Returns the id for `undo`, else for `log show`. They are equal for a call that changed something. */
function idWords(record: JournalRecord): string {
  const undo = textAt(record, 'undo')
  return undo === undefined ? `id ${sanitize(String(record['id']))}` : `undo ${sanitize(undo)}`
}

function rest(record: JournalRecord): string {
  const {
    seq: _seq,
    time: _time,
    prev: _prev,
    hash: _hash,
    type: _type,
    ...more
  }: Record<string, unknown> = { ...record }
  return jsonLine(more)
}
