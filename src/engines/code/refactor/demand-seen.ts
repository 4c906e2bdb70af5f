import { posix } from 'node:path'
import { ToolError } from '../../../kernel/error.ts'
import { languageOf } from '../../index/facts/languages.ts'
import { createStaging } from '../../workspace/staging.ts'
import { createView } from '../../workspace/view.ts'
import type { CodeParts } from '../code-parts.ts'

/** Refuses to ask a server while a file is staged that it does not see: one in a directory that is not on disk yet. */
export function demandSeen({ root, staging }: Pick<CodeParts, 'root' | 'staging'>): void {
  if (staging.isEmpty()) return
  const disk = createView(root, createStaging())
  const isThere = (folder: string) => folder === '.' || disk.look(folder, {}, ({ type }) => type === 'directory')
  for (const [path, { state }] of staging.entries()) {
    if (state.type === 'directory' || state.type === 'absent' || languageOf(path) === undefined) continue
    if (isThere(posix.dirname(path))) continue
    throw new ToolError(
      'unavailable',
      `${path} is staged in a directory that is not there yet, which no language server sees`,
      {
        hint: 'Commit what is staged first, and do this then',
      },
    )
  }
}
