import { badPatch, stricter } from './patch-error.ts'
import { headerName, isDevNull, unquote } from './header-name.ts'

/** Content of the lines from `diff --git` to the first hunk; names are bytes as latin-1. */
interface GitHeader {
  readonly kind: 'change' | 'create' | 'delete' | 'rename' | 'copy'
  readonly from: string | undefined
  readonly to: string | undefined
  readonly oldMode: number | undefined
  readonly newMode: number | undefined
  /** Ids of both contents, from the index line. */
  readonly ids: readonly [string, string]
  /** Number of lines, including the first. */
  readonly length: number
}

interface Draft {
  readonly kinds: Set<'create' | 'delete' | 'rename' | 'copy'>
  readonly common: string | undefined
  readonly strip: number
  from: string | undefined
  to: string | undefined
  oldMode: number | undefined
  newMode: number | undefined
  ids: readonly [string, string]
}

/** Reads the header that begins at `lines[start]`. */
export function readGitHeader(lines: readonly string[], start: number, strip: number): GitHeader {
  const first = (lines[start] ?? '').slice('diff --git '.length)
  if (first.length > LONGEST) throw stricter('path', start + 1, 'the header is too long', 'Shorten the file names.')
  const draft: Draft = {
    kinds: new Set(),
    common: commonName(first, strip),
    strip,
    from: undefined,
    to: undefined,
    oldMode: undefined,
    newMode: undefined,
    ids: ['', ''],
  }
  let at = start + 1
  for (; at < lines.length && take(draft, lines[at] ?? '', at + 1); at++)
    if (draft.kinds.size > 1) throw badPatch(at + 1, 'the header says two different things about the file')
  const header = { ...settle(draft, at), length: at - start }
  if (header.length === 1)
    throw stricter(
      'header',
      start + 2,
      'the line below `diff --git` is none of a git header',
      'Write `--- a/file` and `+++ b/file` right below it, or leave the line `diff --git` out.',
    )
  checkAgreement(header, first, start + 1, strip)
  return header
}

/** Adds one line to the draft. Returns false at the end of the header. */
function take(draft: Draft, line: string, at: number): boolean {
  if (!line.endsWith('\n')) return false
  const word = WORDS.find(candidate => line.startsWith(candidate))
  if (word === undefined) return false
  const rest = line.slice(word.length)
  // These lines contain only a name or a mode, and both are short.
  if (rest.length > LONGEST) throw stricter('path', at, 'the header is too long', 'Shorten the file names.')
  const name = (): string | undefined => headerName(rest, { strip: Math.max(draft.strip - 1, 0) })
  if (word === '--- ') draft.from = sameName(draft, 'from', 'create', rest, at)
  else if (word === '+++ ') draft.to = sameName(draft, 'to', 'delete', rest, at)
  else if (word === 'old mode ') draft.oldMode = modeOf(rest, at)
  else if (word === 'new mode ') draft.newMode = modeOf(rest, at)
  else if (word === 'deleted file mode ') {
    draft.kinds.add('delete')
    draft.from = draft.common
    draft.oldMode = modeOf(rest, at)
  } else if (word === 'new file mode ') {
    draft.kinds.add('create')
    draft.to = draft.common
    draft.newMode = modeOf(rest, at)
  } else if (word === 'copy from ') {
    draft.kinds.add('copy')
    draft.from = name()
  } else if (word === 'copy to ') {
    draft.kinds.add('copy')
    draft.to = name()
  } else if (word === 'rename from ' || word === 'rename old ') {
    draft.kinds.add('rename')
    draft.from = name()
  } else if (word === 'rename to ' || word === 'rename new ') {
    draft.kinds.add('rename')
    draft.to = name()
  } else if (word === 'index ') {
    const [, before, after, mode] = /^([^.\n]{0,64})\.\.([^ \n]{0,64})(?: (.*\n)|\n)/.exec(rest) ?? []
    if (before !== undefined && after !== undefined) draft.ids = [before, after]
    if (mode !== undefined) draft.oldMode = modeOf(mode, at)
  }
  return true
}

const LONGEST = 16_384

const WORDS = [
  '--- ',
  '+++ ',
  'old mode ',
  'new mode ',
  'deleted file mode ',
  'new file mode ',
  'copy from ',
  'copy to ',
  'rename old ',
  'rename new ',
  'rename from ',
  'rename to ',
  'similarity index ',
  'dissimilarity index ',
  'index ',
]

/** Returns the name of a `---` or `+++` line, which must not contradict the header. */
function sameName(draft: Draft, side: 'from' | 'to', none: 'create' | 'delete', rest: string, at: number) {
  const knownName = draft[side]
  if (draft.kinds.has(none)) {
    if (knownName !== undefined || !isDevNull(rest)) throw badPatch(at, 'expected /dev/null here')
    return undefined
  }
  const name = headerName(rest, { strip: draft.strip, tab: true })
  if (knownName === undefined) return name
  if (name !== knownName) throw badPatch(at, 'the file name is not the one of the header above')
  return knownName
}

function modeOf(text: string, at: number): number {
  const digits = /^[ \t]*([0-7]{1,7})[ \t\r\n]/.exec(text)?.[1]
  if (digits === undefined) throw badPatch(at, 'the file mode is not a number')
  const mode = Number.parseInt(digits, 8)
  if ((mode & ~0o777) !== 0o100000) throw stricter('mode', at, `mode ${digits} is ${kindOf(mode)}`, REGULAR_ONLY)
  return mode
}

const kindOf = (mode: number): string => {
  const kind = mode & 0o170000
  if (kind === 0o120000) return 'that of a link, and links are not patched'
  return kind === 0o160000 ? 'that of a submodule, and submodules are not patched' : 'not that of a plain file'
}

const REGULAR_ONLY = 'A patch may touch plain files (100644, 100755) only: no links, submodules or special bits.'

function settle(draft: Draft, at: number): Omit<GitHeader, 'length'> {
  const { common, kinds, oldMode, newMode, ids } = draft
  const hasNoNames = draft.from === undefined && draft.to === undefined
  const from = hasNoNames ? common : draft.from
  const to = hasNoNames ? common : draft.to
  const [kind = 'change'] = kinds
  if ((to === undefined && kind !== 'delete') || (from === undefined && kind !== 'create'))
    throw badPatch(at, 'the header does not name its file', 'Write a/ and b/ before the names, as git does.')
  const more = { oldMode, newMode, ids }
  if (kind === 'create') return { kind, from: undefined, to, ...more }
  return kind === 'delete' ? { kind, from, to: undefined, ...more } : { kind, from, to, ...more }
}

/** Returns the common name in `a/x b/x`, or undefined if the halves differ. */
function commonName(text: string, strip: number): string | undefined {
  return halves(text, strip).find(([from, to]) => from === to)?.[0]
}

/** Refuses a header whose first line names other files than those touched. */
function checkAgreement(header: GitHeader, first: string, at: number, strip: number): void {
  const { kind, from = header.to, to = from } = header
  const renames = kind === 'rename' || kind === 'copy'
  const line = first.replace(/\r?\n$/, '\n')
  if ((renames || from === to) && halves(line, strip).some(([left, right]) => left === from && right === to)) return
  const message = 'the header names other files than the lines below it'
  throw stricter('names', at, message, 'Name the same file in every line, or say `rename from` and `rename to`.')
}

/** Returns every way to split `a/x b/y` into two names: a blank may separate them or belong to one. */
function halves(text: string, strip: number): (readonly [string, string])[] {
  const line = text.endsWith('\n') ? text.slice(0, -1) : text
  const splits: (readonly [string, string])[] = []
  const add = (left: string | undefined, right: string | undefined) => {
    if (left !== undefined && right !== undefined) splits.push([left, right])
  }
  const second = (at: number) => {
    const rest = line.slice(at)
    const quotedName = /^[ \t]*"/.test(rest) ? unquote(rest.trimStart()) : undefined
    return below(quotedName?.name ?? rest, strip)
  }
  if (line.startsWith('"')) {
    const quotedName = unquote(line)
    if (quotedName !== undefined) add(below(quotedName.name, strip), second(quotedName.end))
    return splits
  }
  for (let at = line.search(/[ \t]/); at >= 0 && splits.length < MOST_READINGS; at = nextBlank(line, at))
    add(below(line.slice(0, at), strip), second(at + 1))
  return splits
}

const MOST_READINGS = 256

function nextBlank(line: string, after: number): number {
  const rest = line.slice(after + 1).search(/[ \t]/)
  return rest < 0 ? -1 : after + 1 + rest
}

/** Strips leading components. Returns undefined if there are too few or the name is absolute. */
function below(name: string, strip: number): string | undefined {
  if (strip === 0) return name.startsWith('/') ? undefined : name
  let start = 0
  for (let componentsLeft = strip; componentsLeft > 0; componentsLeft--) {
    const slash = name.indexOf('/', start)
    if (slash < 0 || (componentsLeft === strip && slash === 0)) return undefined
    start = slash + 1
  }
  return name.slice(start)
}
