import { ToolError } from '../../../kernel/error.ts'
import { isExpected } from '../../workspace/precondition.ts'
import type { FileContent, Workspace } from '../../workspace/workspace.ts'
import type { Edit } from './edit.ts'
import type { RequestedEncoding } from '../encoding.ts'
import { findElision, hasDots, isProse } from '../elided-text.ts'
import { bytesOf, isSingleByte, textOf, type FileText } from '../file-text.ts'
import { spliceEdit, type Spliced } from './splice-edit.ts'

export type { Edit }

export interface ReplaceOptions {
  /** Required hash of the file. */
  readonly expect?: string
  /** Action if the old text occurs several times and `all` is not set. */
  readonly onAmbiguous: 'refuse' | 'first'
  /** Default: from the byte order mark, otherwise UTF-8, otherwise Latin-1, byte by byte. */
  readonly encoding?: RequestedEncoding
  /** `refuse` (default): rejects new text that stands for omitted code. */
  readonly elided?: 'refuse' | 'allow'
  /** `refuse` (default): rejects equal old and new text. `allow`: leaves the file unchanged. */
  readonly same?: 'refuse' | 'allow'
}

/** Edits that each double what they find would otherwise fill the memory before anyone is asked. */
const MOST_PLACES = 100_000

export interface Replaced {
  readonly path: string
  /** One entry per place, in order of replacement. */
  readonly applied: readonly {
    /** First line of the place in the text that this edit saw. */
    readonly line: number
    /** Number of lines that the old text covered. */
    readonly lines: number
    /** The text actually replaced. */
    readonly old: string
    readonly new: string
  }[]
  /** Number of occurrences of each edit's old text. */
  readonly occurrences: readonly number[]
  /** Size and sha256 of the file afterwards. */
  readonly bytes: number
  readonly hash: string
}

/**
 * Replaces texts in a file, each edit on the result of the previous one, all or none. Every other byte survives:
 * encoding, byte order mark, line ends and the end of the file stay.
 */
export function replaceText(ws: Workspace, path: string, edits: readonly Edit[], options: ReplaceOptions): Replaced {
  for (const [i, edit] of edits.entries()) check(path, edits, edit, i, options)
  if (edits.length === 0) throw new ToolError('invalid_input', 'No edits given', { hint: 'Give at least one edit.' })
  const file = ws.read(path)
  checkExpected(file, options.expect)
  const source = textOf(file.path, file.bytes, options.encoding)
  if (source.guessed) for (const edit of edits) checkGuessed(file.path, source, edit)
  let { text } = source
  const results: Spliced[] = []
  let places = 0
  for (const [i, edit] of edits.entries()) {
    const which = { path: file.path, edit: i, of: edits.length, onAmbiguous: options.onAmbiguous }
    const one = spliceEdit(text, edit, which, MOST_PLACES - places)
    text = one.text
    places += one.applied.length
    results.push(one)
  }
  const bytes = bytesOf(text, source)
  const isSame = options.same === 'allow' && text === source.text
  const isUnique = () => results.every(one => one.isUnique)
  const condition = options.expect === undefined ? { basis: { ...file, isUnique } } : { expect: options.expect }
  const hash = isSame ? file.hash : ws.put(path, bytes, condition)
  return {
    path: file.path,
    applied: results.flatMap(one => one.applied),
    occurrences: results.map(one => one.occurrences),
    bytes: bytes.length,
    hash,
  }
}

function check(path: string, edits: readonly Edit[], edit: Edit, i: number, options: ReplaceOptions): void {
  const which = edits.length > 1 ? ` of edit ${i + 1}` : ''
  if (edit.old === '')
    throw new ToolError('invalid_input', `The old text${which} is empty`, {
      hint: 'Give the text that is to be replaced; to insert, repeat a line beside the place in old and new.',
      details: { edit: i },
    })
  if (edit.old === edit.new && options.same !== 'allow')
    throw new ToolError('invalid_input', `The old and the new text${which} are the same`, {
      hint: 'Give the text as it should become.',
      details: { edit: i },
    })
  if (options.elided === 'allow') return
  // Text removed by another edit may return here: a moved comment is no omission.
  const previous = edits.map(other => other.old).join('\n')
  const elision = findElision(edit.new, previous, { prose: isProse(path), dots: hasDots(path) || isPython(path) })
  if (!elision) return
  throw new ToolError(
    'invalid_input',
    `The new text${which} leaves code out at line ${elision.line}: ${elision.text}`,
    {
      hint: 'Write the lines out, or make smaller edits that only hold the lines that change.',
      details: { edit: i, elided: elision },
    },
  )
}

function checkExpected(file: FileContent, expect: string | undefined): void {
  if (expect === undefined || expect === 'absent' || isExpected(file.hash, expect)) return
  throw new ToolError('conflict', `${file.path} is not what was expected: it changed since it was read`, {
    hint: 'Read it again and make the edit on the current content.',
    details: { expected: expect, actual: file.hash },
  })
}

/** A character above ASCII would become one byte: correct in a Latin-1 file, damage in a broken UTF-8 file. */
function checkGuessed(path: string, source: FileText, edit: Edit): void {
  if (Buffer.byteLength(edit.new, 'utf8') === edit.new.length || isSingleByte(source)) return
  throw new ToolError('invalid_input', `${path} is neither valid UTF-8 nor plainly Latin-1`, {
    hint: 'Keep the new text to ASCII, or convert the file to UTF-8 first.',
    details: { path },
  })
}

/** Text before the new text is unknown here, and in Python three dots are a body. */
const isPython = (path: string): boolean => /\.pyi?$/i.test(path)
