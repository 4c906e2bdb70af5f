import { posix } from 'node:path'
import { languageOf } from '../../languages/registry.ts'
import { ToolError } from '../../kernel/error.ts'
import { createStaging } from '../../machine/workspace/staging.ts'
import { createView } from '../../machine/workspace/view.ts'
import type { CodeParts } from './code-parts.ts'

/** Staged files that language servers cannot reach by imports, because their directory is not on disk yet. */
export function invisibleStaged({ root, staging }: Pick<CodeParts, 'root' | 'staging'>): readonly string[] {
  if (staging.isEmpty()) return []
  const disk = createView(root, createStaging())
  const isThere = (folder: string) => folder === '.' || disk.look(folder, {}, ({ type }) => type === 'directory')
  return [...staging.entries()].flatMap(([path, { state }]) => {
    const isText = state.type !== 'directory' && state.type !== 'absent' && languageOf(path) !== undefined
    return isText && !isThere(posix.dirname(path)) ? [path] : []
  })
}

export const notVisible = (path: string): ToolError =>
  new ToolError(
    'unavailable',
    `${path} is staged in a directory that is not there yet, which no language server sees`,
    {
      hint: 'Commit the staged changes first',
    },
  )
