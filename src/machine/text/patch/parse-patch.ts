import { ToolError } from '../../../kernel/error.ts'
import type { FilePatch, BinaryChange } from './patch-types.ts'
import { badPatch } from './patch-error.ts'
import { isBegin, parseEnvelope } from './parse-envelope.ts'
import { isSearch, parseBlocks } from './parse-blocks.ts'
import { parseUnified } from './parse-unified.ts'
import { reverseHunk } from './apply-hunks.ts'

export interface ParseOptions {
  /**
   * Number of leading components to strip from names in a unified diff. Default as in git: 1, or 0 for names without a
   * directory.
   */
  readonly strip?: number
  /** Reads the patch in reverse. */
  readonly reverse?: boolean
  /** The only file of the patch: hunks then need no header, and names no a/ and b/. */
  readonly only?: string
}

const MOST_BYTES = 20 * 1024 * 1024
const MOST_LINES = 2_000_000
const MOST_FILES = 5000

/** Reads a patch in any form. Throws `invalid_input` with the unreadable line of the patch. */
export function parsePatch(diff: string | Buffer, options: ParseOptions = {}): readonly FilePatch[] {
  const { reverse = false } = options
  const bytes = typeof diff === 'string' ? Buffer.from(diff, 'utf8') : diff
  if (bytes.length > MOST_BYTES) throw tooLarge(`${bytes.length} bytes`, `${MOST_BYTES} bytes`)
  const text = bytes.toString('latin1')
  const form = formOf(text)
  if (reverse && form !== 'unified')
    throw new ToolError('invalid_input', 'Only a unified diff can be reversed', {
      hint: 'Use undo, or a unified diff.',
    })
  const files = form === 'unified' ? readUnified(text, options) : readers[form](text, MOST_FILES)
  if (files.length === 0)
    throw badPatch(1, 'nothing in it is a patch', 'Send a unified diff, `*** Begin Patch` or SEARCH/REPLACE blocks.')
  return reverse ? files.toReversed().map(reverseFile) : files
}

const readers = { envelope: parseEnvelope, blocks: parseBlocks }

function readUnified(text: string, { strip, only }: ParseOptions): FilePatch[] {
  const files = parseUnified(text, { strip, only, mostFiles: MOST_FILES })
  const isAbout = (list: readonly FilePatch[]) =>
    list.every(({ from, to }) => [from, to].every(name => name === undefined || name === only))
  if (only === undefined || strip !== undefined || isAbout(files)) return files
  const whole = parseUnified(text, { strip: 0, only, mostFiles: MOST_FILES })
  return isAbout(whole) ? whole : files
}

/** The first line that belongs to only one form decides. */
function formOf(text: string): FilePatch['form'] {
  let lines = 0
  let form: FilePatch['form'] | undefined
  for (let start = 0; start < text.length; lines++) {
    const end = text.indexOf('\n', start)
    const next = end < 0 ? text.length : end + 1
    // A marker begins with one of these and is short: most lines need no copy.
    if (form === undefined && '*<d-@'.includes(text.charAt(start)))
      form = formOfLine(text.slice(start, Math.min(next, start + 64)))
    start = next
  }
  if (lines > MOST_LINES) throw tooLarge(`${lines} lines`, `${MOST_LINES} lines`)
  return form ?? 'unified'
}

function formOfLine(line: string): FilePatch['form'] | undefined {
  if (isBegin(line)) return 'envelope'
  if (isSearch(line)) return 'blocks'
  return /^(?:diff --git |--- |@@ -)/.test(line) ? 'unified' : undefined
}

const tooLarge = (is: string, most: string): ToolError =>
  new ToolError('too_large', `The patch has ${is}; at most ${most} are taken`, { hint: 'Split the patch.' })

/** Reverses a section. A copy becomes a copy back, which then finds its target. */
function reverseFile(file: FilePatch): FilePatch {
  const { kind, from, to, oldMode, newMode } = file
  return {
    form: file.form,
    at: file.at,
    kind: kind === 'create' ? 'delete' : kind === 'delete' ? 'create' : kind,
    ...(to === undefined ? {} : { from: to }),
    ...(from === undefined ? {} : { to: from }),
    ...(newMode === undefined ? {} : { oldMode: newMode }),
    ...(oldMode === undefined ? {} : { newMode: oldMode }),
    ...(file.guessed ? { guessed: true as const } : {}),
    ...(file.binary ? { binary: reverseBinary(file.binary) } : {}),
    hunks: file.hunks.map(reverseHunk),
  }
}

const reverseBinary = ({ oldId, newId, data, backward }: BinaryChange): BinaryChange => ({
  oldId: newId,
  newId: oldId,
  data: backward,
  backward: data,
})
