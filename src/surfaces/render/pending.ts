import { cardParameters } from '../../guards/approval/card.ts'
import { consequences } from '../../guards/approval/consequences.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import type { PendingApproval, PendingChange } from '../../kernel/pending-approval.ts'
import { diffLines } from './diff.ts'
import type { Style } from './paint.ts'

/** Renders a question in one line that can be read alone: id, age, what would happen, who asks. */
export function pendingLine(pending: PendingApproval, now: number, { paint }: Style): string {
  const { id, askedAt } = pending
  const what = `${paint('yellow', '?')} ${subject(pending)}`
  return [id, age(now - Date.parse(askedAt)).padStart(6), what, paint('dim', who(pending))].join('  ')
}

/** Renders everything that is needed to answer a question, the most wanted first. */
export function pendingLines(pending: PendingApproval, now: number, style: Style): string[] {
  const { paint } = style
  const { why, claims, changes, risk, always, asker, askedAt, until } = pending
  const changesWithDiffs = changes.map(change => ({ ...change, diff: () => change.diff }))
  const could =
    asker.contract === 'toolwright' ? `could happen: ${consequences(claims, changesWithDiffs)}` : `risk: ${risk}`
  return [
    `${paint('yellow', '?')} ${paint('bold', subject(pending))}   ${paint('dim', who(pending))}`,
    `  ${sanitize(why)}`,
    `  ${sanitize(could)}`,
    ...cardParameters(pending).map(line => `  ${line}`),
    ...changesLines(pending, style),
    '',
    `  asked ${age(now - Date.parse(askedAt))} ago${until === undefined ? '' : `, open for ${age(Date.parse(until) - now)} more`}`,
    `  ${always === undefined ? 'always is not offered' : `always = ${sanitize(always)}`}`,
  ]
}

/** Says how a closed question ended. */
export function closedLine({ id, state, answer, closed }: PendingApproval): string {
  if (state === 'withdrawn') return `${id} was withdrawn: ${sanitize(closed ?? '')}`
  if (state === 'expired') return `${id} has expired`
  if (!answer) return `${id} was closed: the program that asked has ended`
  const parts = answer.hunks ? `, hunks ${answer.hunks.join(', ')}` : ''
  const reason = answer.reason === undefined ? '' : `: ${sanitize(answer.reason)}`
  return `${id} was answered ${answer.answer}${parts} by ${sanitize(answer.by)}${reason}`
}

/** Renders the changes with the number of each hunk before it. */
function changesLines({ changes, whole }: PendingApproval, style: Style): string[] {
  const { paint } = style
  const total = changes.reduce((sum, { hunks }) => sum + hunks.length, 0)
  const cut = whole === undefined ? [] : ['', `  Not shown: all of the changes. Read them: toolwright read ${whole}`]
  return [
    ...changes.flatMap(change => {
      if (change.diff === '') return []
      if (total < 2) return ['', ...indentedDiff(change.diff, style)]
      return change.hunks.flatMap(({ number, text }) => [
        '',
        paint('bold', `  hunk ${number} of ${total}  ${sanitize(change.path)}`),
        ...indentedDiff(text, style),
      ])
    }),
    ...cut,
  ]
}

const indentedDiff = (text: string, style: Style): string[] => diffLines(text, style).map(line => `   ${line}`)

/** Says what would happen: the command, or the changed files with their lines. */
function subject({ asker, changes, claims }: PendingApproval): string {
  const command = claims.find(({ action }) => action === 'exec')
  if (command) return `${sanitize(asker.tool)} ${sanitize(command.resource, { max: LONGEST })}`
  if (changes.length > 0) {
    const more = changes.length > MOST_FILES ? ` and ${changes.length - MOST_FILES} more files` : ''
    return `${sanitize(asker.tool)} ${changes.slice(0, MOST_FILES).map(describeChange).join(', ')}${more}`
  }
  const resources = [...new Set(claims.map(({ resource }) => resource))].slice(0, MOST_FILES).join(', ')
  return `${sanitize(asker.tool)} ${sanitize(resources, { max: LONGEST })}`.trimEnd()
}

const LONGEST = 120
const MOST_FILES = 3

/** Names a file with the number of its added and removed lines. */
function describeChange({ path, from, diff }: PendingChange): string {
  const body = diff.split(/^(?=@@ )/m).slice(1)
  const count = (sign: RegExp): number => body.reduce((sum, hunk) => sum + (hunk.match(sign)?.length ?? 0), 0)
  const [addedLines, removedLines] = [count(/^\+/gm), count(/^-/gm)]
  const lines = addedLines + removedLines === 0 ? '' : ` +${addedLines} −${removedLines}`
  return `${from === undefined ? '' : `${sanitize(from)} → `}${sanitize(path)}${lines}`
}

const who = ({ asker: { client = 'a program', agent, task } }: PendingApproval): string =>
  [client, agent, task === 'default' ? undefined : task]
    .flatMap(name => (name === undefined ? [] : sanitize(name, { max: 60 })))
    .join(' · ')

/** Returns a time in its largest unit. */
function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
