import type { HiddenPaths } from '../../../kernel/hidden-paths.ts'
import type { Root } from '../../../machine/workspace/root.ts'
import type { Staged } from '../../../machine/workspace/staged.ts'
import { createStaging, type Staging } from '../../../machine/workspace/staging.ts'
import { decode } from '../../model/decode.ts'
import { visibleText } from '../visible-text.ts'
import type { EditQuestion, EffectsWork, Overlay } from './types.ts'

/** A change as the judge of its effects sees it. */
export type Changes = Pick<EditQuestion, 'before' | 'after' | 'changed'>

/** Both sides of the changes in the top layer of a staging, relative to the lower layers and the disk. */
export function editQuestion(root: Root, staging: Staging): Changes {
  const below = staging.below ?? createStaging()
  const before: Record<string, string | null> = {}
  const after: Record<string, string | null> = {}
  const changedPaths: string[] = []
  const text = (layer: Staging, path: string) => visibleText(root, layer, path) ?? null
  for (const [path, { state }] of below.entries()) {
    if (state.type === 'directory') continue
    before[path] = text(below, path)
    after[path] = before[path]
  }
  for (const [path, { base, state }] of staging.own()) {
    if (state.type === 'directory') continue
    before[path] = (below.get(path) ? undefined : heldText(base)) ?? text(below, path)
    after[path] = state.type === 'absent' ? null : (heldText(state) ?? text(staging, path))
    if (before[path] !== after[path]) changedPaths.push(path)
    // Neither side is a text: a directory, or something else that is no source code.
    if (before[path] !== null || after[path] !== null) continue
    delete before[path]
    delete after[path]
  }
  return { before, after, changed: changedPaths }
}

/** Returns the text of a state whose bytes are in memory: the file need not be read again. */
const heldText = (state: Staged['base'] | Staged['state']): string | undefined =>
  state.type === 'file' && 'bytes' in state && state.bytes ? decode(state.bytes) : undefined

/** Removes from a change what a server may not see, and reports whether that makes it impossible to judge. */
export function readableChanges(
  { before, after, changed }: Changes,
  unreadable: HiddenPaths | undefined,
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
