import { consequences } from '../../guards/approval/consequences.ts'
import { inert } from '../../kernel/inert.ts'
import type { Card } from '../../runtime/questions.ts'

/** Of a longer diff the beginning is shown; the first line has its size. */
const MOST_DIFF = 20_000

export interface ShortCard {
  readonly message: string
  /** The whole diff on one line, since line breaks do not survive where it stands. */
  readonly diff: string | undefined
}

/**
 * A question of our own contract in lines that stand for themselves. Claude Code shows three, each cut at the width of the
 * terminal: what changes and by how much, then the old line and the new one, or the command itself. The reason comes last.
 */
export function shortCard({ tool, claims, changes, why, proposal }: Card): ShortCard {
  const diff = changes.map(change => change.diff()).join('')
  const body = diff.split('\n').filter(line => !/^(\+\+\+|---) /.test(line))
  const [added, removed] = ['+', '-'].map(mark => body.filter(line => line.startsWith(mark)))
  const counts = diff === '' ? '' : ` (+${added?.length ?? 0} −${removed?.length ?? 0})`
  const lines = [
    `${inert(tool.slice(tool.indexOf('/') + 1))} ${targetOf(claims, changes)}${counts}`,
    ...[removed?.[0], added?.[0]].flatMap(line => (line === undefined ? [] : [inert(line)])),
    `Could happen: ${inert(consequences(claims, changes))}`,
    `Why: ${inert(why)}`,
    ...(proposal === undefined ? [] : [`Always means: ${inert(proposal)}`]),
  ]
  return { message: lines.join('\n'), diff: diff === '' ? undefined : inert(diff, { max: MOST_DIFF }) }
}

/** The files that change; where none does, the command or whatever else is asked about. */
function targetOf(claims: Card['claims'], changes: Card['changes']): string {
  const command = claims.find(({ action }) => action === 'exec')
  if (command) return inert(command.resource)
  const [first, ...others] = new Set(changes.flatMap(({ from, path }) => (from === undefined ? [path] : [from, path])))
  const named = first ?? claims.find(({ action }) => action !== 'read')?.resource ?? claims[0]?.resource ?? ''
  return `${inert(named)}${others.length > 0 ? ` and ${others.length} more` : ''}`
}
