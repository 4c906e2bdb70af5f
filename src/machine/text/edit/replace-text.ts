import { createHash } from 'node:crypto'
import { ToolError } from '../../../kernel/error.ts'
import { isExpected } from '../../workspace/precondition.ts'
import type { FileContent, Workspace } from '../../workspace/workspace.ts'
import type { Edit } from './edit.ts'
import type { AskedEncoding } from '../encoding.ts'
import { findElision, hasDots, isProse } from '../elided-text.ts'
import { bytesOf, isSingleByte, textOf, type FileText } from '../file-text.ts'
import { spliceEdit, type Spliced } from './splice-edit.ts'

export type { Edit }

export interface ReplaceOptions {
  /** The hash that the file must have. */
  readonly expect?: string
  /** What to do where the old text is there several times and `all` was not said. */
  readonly onAmbiguous: 'refuse' | 'first'
  /** Default: by its mark, else UTF-8, else bytes one to one. */
  readonly encoding?: AskedEncoding
  /** New text that stands for omitted code is refused unless this says otherwise. */
  readonly elided?: 'refuse' | 'allow'
  /** Equal old and new text is refused unless this says otherwise; then the file stays as it is. */
  readonly same?: 'refuse' | 'allow'
}

export interface Replaced {
  readonly path: string
  /** One for each place, in the order they were replaced. */
  readonly applied: readonly {
    /** First line of the place in the text that this edit found. */
    readonly line: number
    /** How many lines the old text touched there. */
    readonly lines: number
    /** What was really replaced. */
    readonly old: string
    readonly new: string
  }[]
  /** How often each edit's old text was found. */
  readonly occurrences: readonly number[]
  /** Size and sha256 of the file afterwards. */
  readonly bytes: number
  readonly hash: string
}

/**
 * Replaces texts in a file, each edit on the result of the one before, all or none.
 * Every byte that was not replaced survives: encoding, mark, line ends and the end of the file are as they were.
 */
export function replaceText(ws: Workspace, path: string, edits: readonly Edit[], options: ReplaceOptions): Replaced {
  for (const [i, edit] of edits.entries()) check(path, edits, edit, i, options)
  if (edits.length === 0) throw new ToolError('invalid_input', 'No edits given', { hint: 'Give at least one edit.' })
  const file = ws.read(path)
  checkExpected(file, options.expect)
  const source = textOf(file.path, file.bytes, options.encoding)
  if (source.guessed) for (const edit of edits) checkGuessed(file.path, source, edit)
  let { text } = source
  const spliced: Spliced[] = []
  for (const [i, edit] of edits.entries()) {
    const one = spliceEdit(text, edit, { path: file.path, edit: i, of: edits.length, onAmbiguous: options.onAmbiguous })
    text = one.text
    spliced.push(one)
  }
  const bytes = bytesOf(text, source)
  if (options.same !== 'allow' || text !== source.text)
    ws.put(path, bytes, options.expect === undefined ? {} : { expect: options.expect })
  return {
    path: file.path,
    applied: spliced.flatMap(one => one.applied),
    occurrences: spliced.map(one => one.occurrences),
    bytes: bytes.length,
    hash: createHash('sha256').update(bytes).digest('hex'),
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
  // Text that another edit takes away may be put back here: a moved comment is no omission.
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
    hint: 'Read it again and make the edit on what is there now.',
    details: { expected: expect, actual: file.hash },
  })
}

/** A letter above ASCII would be written as one byte: right in a Latin-1 file, damage in a broken UTF-8 one. */
function checkGuessed(path: string, source: FileText, edit: Edit): void {
  if (Buffer.byteLength(edit.new, 'utf8') === edit.new.length || isSingleByte(source)) return
  throw new ToolError('invalid_input', `${path} is neither valid UTF-8 nor plainly Latin-1`, {
    hint: 'Keep the new text to ASCII, or convert the file to UTF-8 first.',
    details: { path },
  })
}

/** What stands before the new text is not seen here, and a body of three dots is a body. */
const isPython = (path: string): boolean => /\.pyi?$/i.test(path)
