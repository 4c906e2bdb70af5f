import { ToolError } from '../../kernel/error.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { findElision, hasDots, isProse } from './elided-text.ts'
import { detectEncoding, HEAD_BYTES, isBinary, type RequestedEncoding, type Detected } from './encoding.ts'
import { bytesOf, isSingleByte, textOf, type FileText } from './file-text.ts'
import { readWhole } from './line-index.ts'

export interface WriteOptions {
  /** Required hash of the file, or `absent`. */
  readonly expect?: string
  /** `create` refuses to replace, `replace` refuses to create. */
  readonly mode?: 'create' | 'replace' | 'any'
  /** Default: that of the existing file, otherwise UTF-8. */
  readonly encoding?: RequestedEncoding
  /** `refuse`: rejects text that stands for omitted code over an existing file. */
  readonly elided?: 'refuse' | 'allow'
}

export interface Written {
  readonly path: string
  readonly bytes: number
  /** sha256 of the written bytes. */
  readonly hash: string
  readonly created: boolean
  /** The file had these bytes before. */
  readonly unchanged: boolean
}

/**
 * Writes a whole file. Keeps encoding, byte order mark and mode of an existing file. Line ends come from the content,
 * because a whole file defines its own.
 */
export function writeText(ws: Workspace, path: string, content: string, options: WriteOptions = {}): Written {
  const mustBeNew = options.mode === 'create' || options.expect === 'absent'
  // For a new file there is nothing to read; the workspace refuses if the file exists.
  const there = mustBeNew ? undefined : ws.stat(path)
  if (!there && options.mode === 'replace')
    throw new ToolError('not_found', `${path} does not exist`, { hint: 'Create it instead.', details: { path } })
  const expect = mustBeNew ? 'absent' : options.expect
  const oldBytes = there?.type === 'file' ? contentOf(ws, path) : undefined
  const previous = oldBytes && before(path, oldBytes, options)
  if (previous && options.elided === 'refuse') refuseElided(path, content, previous)
  const target = previous ?? { encoding: freshEncoding(options), bom: options.encoding === 'utf-16' }
  const bytes = bytesOf(withoutSecondMark(content, target), target)
  const hash = ws.put(path, bytes, expect === undefined ? {} : { expect })
  return {
    path: ws.locate(path),
    bytes: bytes.length,
    hash,
    created: !there,
    unchanged: oldBytes?.equals(bytes) === true,
  }
}

const freshEncoding = ({ encoding = 'utf-8' }: WriteOptions): Detected['encoding'] =>
  encoding === 'utf-16' ? 'utf-16le' : encoding

/** Returns the existing file as text. Data, and text in another encoding than requested, is replaced completely. */
function before(path: string, bytes: Buffer, { encoding }: WriteOptions): FileText | undefined {
  const head = bytes.subarray(0, HEAD_BYTES)
  const fileEncoding = detectEncoding(head)
  if (isBinary(head, fileEncoding)) return undefined
  const previous = textOf(path, bytes)
  if (encoding === undefined)
    return previous.guessed && !isSingleByte(previous) ? { ...previous, encoding: 'utf-8' } : previous
  return previous.encoding.startsWith(encoding) ? previous : undefined
}

/** Opened, not read: our look must not count as the caller's read, which the guard requires. */
function contentOf(ws: Workspace, path: string): Buffer {
  const file = ws.open(path)
  try {
    return readWhole(file, 0, file.size)
  } finally {
    file.close()
  }
}

/** A caller may pass a mark that it got from elsewhere. */
const withoutSecondMark = (content: string, { bom }: Detected): string =>
  bom && content.startsWith('\ufeff') ? content.slice(1) : content

function refuseElided(path: string, content: string, previous: FileText): void {
  const elision = findElision(content, previous.text, { prose: isProse(path), dots: hasDots(path) })
  if (!elision) return
  throw new ToolError(
    'invalid_input',
    `The content for ${path} leaves text out at line ${elision.line}: ${elision.text}`,
    {
      hint: 'Write the whole file, or edit only the lines that change.',
      details: { path, elided: elision },
    },
  )
}
