import { sanitize } from '../../kernel/sanitize.ts'
import { warn, type Terminal } from './terminal.ts'

export interface UnreadableAnswer {
  readonly filesUnreadable?: number
  readonly unreadable?: readonly { readonly path: string; readonly why: string }[]
}

/** Warns of unreadable files in ripgrep's format. */
export function warnUnreadable(terminal: Terminal, { filesUnreadable = 0, unreadable = [] }: UnreadableAnswer): void {
  for (const { path, why } of unreadable) warn(terminal, `${sanitize(path)}: ${why}`)
  const more = filesUnreadable - unreadable.length
  if (more > 0) warn(terminal, `${more} more cannot be read`)
}
