import { ToolError } from '../../../kernel/error.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { bytesOf, isSingleByte, textOf } from '../file-text.ts'

/** One range of a file's text and its replacement. Positions count UTF-16 units, without the byte order mark. */
export interface Splice {
  readonly start: number
  readonly end: number
  /** Expected text. */
  readonly old: string
  readonly new: string
}

/**
 * Replaces ranges of a file by position. Every other byte survives: encoding, byte order mark, line ends and mode.
 * Throws `conflict` if a place holds something other than `old`.
 */
export function spliceText(
  ws: Workspace,
  path: string,
  splices: readonly Splice[],
): { readonly path: string; readonly bytes: number; readonly hash: string } {
  const file = ws.read(path)
  const source = textOf(file.path, file.bytes)
  const isPlain = splices.every(({ new: text }) => Buffer.byteLength(text) === text.length)
  if (source.guessed && !isPlain && !isSingleByte(source))
    throw new ToolError('invalid_input', `${file.path} is neither valid UTF-8 nor plainly Latin-1`, {
      hint: 'Keep the new text to ASCII',
      details: { path: file.path },
    })
  const bytes = bytesOf(applySplices(file.path, source.text, splices), source)
  return { path: file.path, bytes: bytes.length, hash: ws.put(path, bytes) }
}

/** Applies splices in any order to a text. */
export function applySplices(path: string, text: string, splices: readonly Splice[]): string {
  let [result, at] = ['', 0]
  for (const { start, end, old, new: now } of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at || text.slice(start, end) !== old)
      throw new ToolError('conflict', `${path} is not what the change was made for, near character ${start + 1}`, {
        hint: 'It may have changed, or be in another encoding than the language server assumes: try again, or edit it by its text',
        details: { path },
      })
    result += text.slice(at, start) + now
    at = end
  }
  return result + text.slice(at)
}
