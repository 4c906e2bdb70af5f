import { ToolError } from '../../../kernel/error.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { show } from '../../workspace/path.ts'

/** A plain file as a patch sees it. */
export interface Target {
  readonly bytes: Buffer
  readonly mode: number
  /** sha256 of the content read; absent if a section of the patch wrote it. */
  readonly hash?: string
}

const PLAIN_ONLY = 'A patch changes plain files only; name the file that the link leads to.'

const LARGEST = 256 * 1024 * 1024

/** Reads a plain file by its own name, never through a link, like git. */
export function loadTarget(
  ws: Workspace,
  path: string,
  patchLine: number,
  { mayBeAbsent = false }: { readonly mayBeAbsent?: boolean } = {},
): Target | undefined {
  const refuse = (rule: string, message: string, hint: string): never => {
    throw new ToolError('not_a_file', `${show(path)} ${message}`, { hint, details: { file: path, patchLine, rule } })
  }
  const realPath = ws.locate(path, { link: true })
  if (realPath === path && ws.locate(path) !== path) refuse('link', 'is a link, and links are not patched', PLAIN_ONLY)
  if (realPath !== path) refuse('link', 'is reached through a link', 'Name the file by its real path.')
  const entry = ws.stat(path)
  if (entry === undefined) {
    if (mayBeAbsent) return undefined
    throw new ToolError('not_found', `${show(path)} does not exist`, {
      hint: 'Check the name; a unified diff writes a/ and b/ before it.',
      details: { file: path, patchLine },
    })
  }
  if (entry.type === 'directory') refuse('directory', 'is a directory', 'A patch changes files only.')
  if (entry.type !== 'file') refuse('link', 'is not a plain file', 'A patch changes plain files only.')
  if (entry.size > LARGEST)
    throw new ToolError('too_large', `${show(path)} is too large to patch`, {
      details: { file: path, bytes: entry.size },
    })
  const { bytes, mode, hash } = ws.read(path)
  return { bytes, mode: mode & 0o777, hash }
}
