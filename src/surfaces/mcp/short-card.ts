import { consequences } from '../../guards/approval/consequences.ts'
import { judgedAs } from '../../guards/policy/decide.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import type { Card } from '../../runtime/questions.ts'
import { changedLines, tellingLine } from './changed-lines.ts'

/** Cuts a longer diff; the first line gives its size. */
const MOST_DIFF = 20_000

export interface ShortCard {
  readonly message: string
  /** The whole diff on one line, because the place where it is shown loses line breaks. */
  readonly diff: string | undefined
}

/**
 * Claude Code shows a card of four lines, each cut at the width of the terminal. It shows only three of a longer one.
 */
const MOST_LINES = 4

/**
 * Formats a question of our own contract: what changes and by how much, the old and the new line, what could happen,
 * and the reason. The reason comes last, so that a narrow terminal cuts it.
 */
export function shortCard({ tool, claims, changes, why, proposal }: Card): ShortCard {
  const diff = changes.map(change => change.diff()).join('')
  const { added, removed } = changedLines(diff)
  const counts = added.length + removed.length === 0 ? '' : ` (+${added.length} −${removed.length})`
  const target = targetOf(claims, changes)
  const shown = [
    `${sanitize(tool.slice(tool.indexOf('/') + 1))} ${sanitize(target)}${counts}`,
    ...[tellingLine(removed), tellingLine(added)].flatMap(line => (line === undefined ? [] : [sanitize(line)])),
  ]
  const explained = [
    `Could happen: ${sanitize(consequences(claims, changes))}`,
    `Why: ${sanitize(withoutTarget(why, claims, target))}`,
    ...(proposal === undefined ? [] : [`Always means: ${sanitize(proposal)}`]),
  ]
  const own = MOST_LINES - shown.length - 1
  const lines = [...shown, ...explained.slice(0, own), explained.slice(own).join(' · ')].filter(line => line !== '')
  return {
    message: lines.join('\n'),
    diff: diff === '' ? undefined : sanitize(hunks(diff, changes), { max: MOST_DIFF }),
  }
}

/** Returns only the hunks if a single file changes, because the first line names it. */
function hunks(diff: string, [only, ...others]: Card['changes']): string {
  return only?.kind === 'change' && others.length === 0 ? diff.slice(Math.max(0, diff.indexOf('@@ '))) : diff
}

/** Returns the files that change, or else the command or other subject of the question. */
function targetOf(claims: Card['claims'], changes: Card['changes']): string {
  const command = claims.find(({ action }) => action === 'exec')
  if (command) return command.resource
  const [first, ...others] = new Set(changes.map(({ from, path }) => (from === undefined ? path : `${from} → ${path}`)))
  const named = first ?? claims.find(({ action }) => action !== 'read')?.resource ?? claims[0]?.resource ?? ''
  return `${named}${others.length > 0 ? ` and ${others.length} more` : ''}`
}

/** Removes the claim from the beginning of the reason if the first line names it. */
function withoutTarget(why: string, claims: Card['claims'], target: string): string {
  const judged = claims.filter(({ resource }) => resource === target).map(judgedAs)
  const said = judged.find(subject => why.startsWith(subject)) ?? ''
  return why.slice(said.length)
}
