import { createHash } from 'node:crypto'
import type { Root } from '../../../machine/workspace/root.ts'
import type { Staging } from '../../../machine/workspace/staging.ts'
import { visibleText } from '../visible-text.ts'
import type { HiddenFiles } from './hidden-files.ts'

/** Differences between the workspace and the disk. */
export interface StagedTexts {
  /** Equal for equal changes. */
  readonly key: string
  /** Undefined if a change removes everything at and below this path. */
  readonly texts: ReadonlyMap<string, string | undefined>
  /** Files hidden from the caller, whatever the disk shows. Default: none. */
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
