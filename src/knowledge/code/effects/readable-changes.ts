import type { Hides } from '../../../kernel/hides.ts'
import type { Changes } from './edit-question.ts'
import type { EffectsWork, Overlay } from './types.ts'

/** What of a change may be told to a server, and whether something is left out of it that it therefore cannot judge. */
export function readableChanges(
  { before, after, changed }: Changes,
  unreadable: Hides | undefined,
  concerns: EffectsWork['concerns'],
): { readonly changes: Changes; readonly isWhole: boolean } {
  if (!unreadable) return { changes: { before, after, changed }, isWhole: true }
  const isReadable = (path: string) => !unreadable.matches(path)
  const readable = (overlay: Overlay): Overlay =>
    Object.fromEntries(Object.entries(overlay).filter(([path]) => isReadable(path)))
  return {
    changes: { before: readable(before), after: readable(after), changed: changed.filter(isReadable) },
    isWhole: changed.every(path => isReadable(path) || !concerns(path)),
  }
}
