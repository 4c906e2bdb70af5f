import { createHash } from 'node:crypto'
import type { Root } from '../../../machine/workspace/root.ts'
import type { Staging } from '../../../machine/workspace/staging.ts'
import { visibleText } from '../visible-text.ts'
import type { HiddenFiles } from './hidden-files.ts'

/** What of the workspace is otherwise than the disk shows it. */
export interface StagedTexts {
  /** The same for the same changes. */
  readonly key: string
  /** Undefined if a change leaves nothing, neither at this path nor below it. */
  readonly texts: ReadonlyMap<string, string | undefined>
  /** What is not there for whoever asks, whatever the disk shows; nothing unless given. */
  readonly hidden?: HiddenFiles
}

const NOTHING: StagedTexts = { key: '', texts: new Map() }

export function stagedTexts(root: Root, staging: Staging): StagedTexts {
  if (staging.isEmpty()) return NOTHING
  const hash = createHash('sha256')
  const texts = new Map<string, string | undefined>()
  for (const [path, { state }] of staging.entries()) {
    if (state.type === 'directory') continue
    hash.update(`${path}\0${state.type === 'file' ? state.hash : ''}\0`)
    texts.set(path, state.type === 'absent' ? undefined : visibleText(root, staging, path))
  }
  return { key: hash.digest('hex'), texts }
}
