import { join } from 'node:path'
import type { ToolCallContent, ToolKind } from '@agentclientprotocol/sdk'
import type { Change } from '../../kernel/change.ts'
import type { Claim } from '../../kernel/claim.ts'

/** Returns each hunk of a change as the editor shows it: the old lines and the new ones, with those around them. */
export const shownChanges = (root: string, changes: readonly Change[]): ToolCallContent[] =>
  changes.flatMap(change => {
    const path = join(root, change.path)
    const hunks = change
      .diff()
      .split(/^@@ .*\n/m)
      .slice(1)
    return hunks.map((hunk): ToolCallContent => {
      const lines = hunk.split('\n').filter(line => /^[ +-]/.test(line))
      const side = (marks: string): string =>
        lines.flatMap(line => (marks.includes(line[0] ?? '') ? [`${line.slice(1)}\n`] : [])).join('')
      return { type: 'diff', path, oldText: change.kind === 'create' ? null : side(' -'), newText: side(' +') }
    })
  })

/** Returns the picture that an editor shows for what a call does. */
export function kindOf(claims: readonly Pick<Claim, 'action'>[]): ToolKind {
  const actions = new Set(claims.map(({ action }) => action))
  if (actions.has('exec')) return 'execute'
  if (actions.has('write') || actions.has('create')) return 'edit'
  if (actions.has('net')) return 'fetch'
  return actions.has('read') ? 'read' : 'other'
}
