import type { BinaryChange, FilePatch, Hunk } from './patch-types.ts'
import { badPatch, stricter } from './patch-error.ts'
import { datedName, isDevNull, isEpoch } from './header-name.ts'
import { hunkRange, readHunk } from './parse-hunk.ts'
import { linesOf } from './byte-lines.ts'
import { nameToBytes } from '../../workspace/name.ts'
import { patchPath } from './patch-path.ts'
import { readBinary, type ReadBinary } from './parse-binary.ts'
import { readGitHeader } from './git-header.ts'

interface Header extends Pick<FilePatch, 'kind'> {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly oldMode?: number | undefined
  readonly newMode?: number | undefined
  readonly ids?: readonly [string, string]
  readonly length: number
  /** A diff without git's header does not say whether the file existed. */
  readonly guessed?: true
}

/** Number of components to strip; once given or guessed it holds for the rest of the patch. */
interface Strip {
  count: number
  known: boolean
}

interface UnifiedOptions {
  readonly strip: number | undefined
  /** The file of hunks before any header. */
  readonly only: string | undefined
  readonly mostFiles: number
}

/** Reads a unified diff by git or GNU diff. Skips text around the sections, like git. */
export function parseUnified(text: string, { strip, only, mostFiles }: UnifiedOptions): FilePatch[] {
  const lines = linesOf(text)
  const stripping: Strip = { count: strip ?? 1, known: strip !== undefined }
  const files: FilePatch[] = []
  for (let at = 0; at < lines.length;) {
    const bare = files.length === 0 && only !== undefined && (lines[at] ?? '').startsWith('@@ -')
    const header = bare ? headerless(only) : headerAt(lines, at, stripping)
    if (header === undefined) {
      at++
      continue
    }
    const { file, next } = readSection(lines, at, header)
    files.push(file)
    if (files.length > mostFiles)
      throw stricter('size', at + 1, `the patch has more than ${mostFiles} files`, 'Split the patch.')
    at = next
  }
  return withBareHunks(files)
}

/** Header for bare hunks of a file that the caller named. */
function headerless(path: string): Header {
  const name = nameToBytes(path)?.toString('latin1')
  return { kind: 'change', from: name, to: name, length: 0, guessed: true }
}

function headerAt(lines: readonly string[], at: number, strip: Strip): Header | undefined {
  const line = lines[at] ?? ''
  if (line.startsWith('@@ -') && hunkRange(line) !== undefined)
    throw badPatch(at + 1, 'a hunk without a file header', 'Begin with `--- a/file` and `+++ b/file`.')
  if (isTail(lines, at + 1)) return undefined
  if (line.startsWith('diff --git ')) return readGitHeader(lines, at, strip.count)
  if (/^(?:<{5,9} SEARCH|\*\*\* Begin Patch)\b/.test(line))
    throw stricter('forms', at + 1, 'two forms of patch are mixed', 'Use one form in one patch.')
  const next = lines[at + 1] ?? ''
  if (!line.startsWith('--- ') || !next.startsWith('+++ ')) return undefined
  if (!(lines[at + 2] ?? '').startsWith('@@ -'))
    throw stricter('header', at + 1, 'a file header without a hunk', 'Write `@@ -line,count +line,count @@` below it.')
  return plainHeader(line.slice(4), next.slice(4), strip, at + 1)
}

/** Too little is left for another section: a header here is only text. */
const isTail = (lines: readonly string[], at: number): boolean =>
  at > lines.length - 6 && lines.slice(at).join('').length < 6

/** The header of a diff that git did not write. */
function plainHeader(first: string, second: string, strip: Strip, at: number): Header {
  if (Math.max(first.length, second.length) > 16_384)
    throw stricter('path', at, 'the header is too long', 'Shorten the file names.')
  guessStrip(first, second, strip)
  if (isDevNull(first) && isDevNull(second))
    throw stricter('names', at, '/dev/null on both sides names no file', 'Name the file on one side.')
  const from = isDevNull(first) ? undefined : nameOf(first, { strip, at, twin: second })
  const to = isDevNull(second) ? undefined : nameOf(second, { strip, at: at + 1, twin: first })
  const name = from === undefined ? to : to === undefined ? from : commonName(from, to, at)
  if (from === undefined || (to !== undefined && isEpoch(first)))
    return { kind: 'create', from: undefined, to: name, length: 2 }
  if (to === undefined || isEpoch(second)) return { kind: 'delete', from: name, to: undefined, length: 2 }
  return { kind: 'change', from: name, to: name, length: 2, guessed: true }
}

/** `twin`: the other name line. A name that it has without its first part needs no first part of its own. */
function nameOf(
  text: string,
  { strip, at, twin }: { readonly strip: Strip; readonly at: number; readonly twin: string },
): string {
  const whole = datedName(text, 0) ?? ''
  if (whole.startsWith('/')) patchPath(whole, at)
  const name = datedName(text, strip.count)
  if (name !== undefined) return name
  if (strip.count === 1 && whole !== '' && whole === datedName(twin, 1)) return whole
  throw badPatch(at, 'no file name is left after its first part', 'Write a/ and b/ before the names, as git does.')
}

/** Names without a directory have nothing to strip; git guesses the same. */
function guessStrip(first: string, second: string, strip: Strip): void {
  if (strip.known) return
  const isPlain = (text: string): boolean => !isDevNull(text) && datedName(text, 0)?.includes('/') === false
  if (!isPlain(second) || !(isPlain(first) || isDevNull(first))) return
  strip.count = 0
  strip.known = true
}

/** Returns the one file under both names, which may differ only by a backup suffix. */
function commonName(from: string, to: string, at: number): string {
  if (from === to) return from
  const [short, long] = from.length < to.length ? [from, to] : [to, from]
  if (long.startsWith(short) && BACKUP.test(long.slice(short.length))) return short
  const hint = 'Name one file in both lines; to rename, use a git header with `rename from` and `rename to`.'
  throw stricter('names', at, '`---` and `+++` name different files', hint)
}

const BACKUP = /^(?:~|\.(?:orig|old|bak|new))$/

function readSection(lines: readonly string[], start: number, header: Header) {
  const hunks: Hunk[] = []
  let at = start + header.length
  while ((lines[at] ?? '').startsWith('@@ -')) {
    const { hunk, next } = readHunk(lines, at)
    hunks.push(hunk)
    at = next
  }
  const binary = hunks.length === 0 && header.ids ? readBinary(lines, at) : undefined
  if (binary) at = binary.next
  else if (hunks.length === 0) checkMetadata(lines[at] ?? '', header, at + 1)
  const { kind, oldMode, newMode } = header
  if (kind === 'create' && hunks.some(hunk => hunk.oldLines > 0))
    throw badPatch(start + 1, 'a new file cannot have old lines')
  if (kind === 'delete' && hunks.some(hunk => hunk.newLines > 0))
    throw badPatch(start + 1, 'a deleted file cannot have new lines')
  const file: FilePatch = {
    form: 'unified',
    at: start + 1,
    kind,
    ...(header.from === undefined ? {} : { from: patchPath(header.from, start + 1) }),
    ...(header.to === undefined ? {} : { to: patchPath(header.to, start + 1) }),
    ...(oldMode === undefined ? {} : { oldMode }),
    ...(newMode === undefined ? {} : { newMode }),
    ...(header.guessed ? { guessed: true as const } : {}),
    ...(binary && header.ids ? { binary: changeOf(binary, header.ids) } : {}),
    hunks,
  }
  return { file, next: at }
}

const changeOf = ({ forward, backward }: ReadBinary, [oldId, newId]: readonly [string, string]): BinaryChange => ({
  oldId,
  newId,
  data: forward,
  backward,
})

/** A section without hunks must change at least a name, a mode or the file's existence. */
function checkMetadata(line: string, { kind, oldMode, newMode }: Header, at: number): void {
  if (line.startsWith('GIT binary patch') || /^(?:Binary files|Files) .* differ\r?\n?$/.test(line))
    throw stricter('binary', at, 'the content of a binary file is missing', 'Make the patch with `git diff --binary`.')
  if (kind !== 'change' || (oldMode !== undefined && newMode !== undefined && oldMode !== newMode)) return
  throw badPatch(at, 'the file header is followed by no change')
}

/**
 * A patch without any context, in which some hunk cannot span its whole file, comes from `diff -U0`. Git requires
 * `--unidiff-zero` for it, and otherwise puts such a hunk at the end of the file.
 */
function withBareHunks(files: FilePatch[]): FilePatch[] {
  const hunks = files.flatMap(file => file.hunks)
  if (hunks.some(hunk => hunk.lines.some(line => line.startsWith(' ')))) return files
  const partial = files.some(
    ({ kind, hunks: own }) => kind !== 'create' && kind !== 'delete' && (own.length > 1 || own.some(isPartial)),
  )
  if (!partial) return files
  return files.map(file => ({ ...file, hunks: file.hunks.map(hunk => ({ ...hunk, place: 'bare' as const })) }))
}

const isPartial = (hunk: Hunk): boolean =>
  hunk.oldStart !== Math.min(hunk.oldLines, 1) || hunk.newStart !== Math.min(hunk.newLines, 1)
