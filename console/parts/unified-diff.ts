/** One line of a diff. */
export interface DiffLine {
  readonly kind: 'context' | 'add' | 'remove'
  readonly text: string
  readonly before: number | undefined
  readonly after: number | undefined
}

export interface DiffHunk {
  readonly lines: readonly DiffLine[]
  /** The first and last line that the change shows, of the new text if there is one. */
  readonly from: number
  readonly to: number
}

/** A file of a diff. What is no hunk, such as a new mode, is said in words. */
export interface DiffFile {
  readonly path: string
  readonly notes: readonly string[]
  readonly hunks: readonly DiffHunk[]
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/

/** Reads the hunk of a unified diff, with or without the lines that name its file. */
export function parseHunk(text: string): DiffHunk {
  const rows = text.split('\n')
  const start = rows.findIndex(row => HUNK.test(row))
  const [, first = '1', second = '1'] = HUNK.exec(rows[start] ?? '') ?? []
  let [before, after] = [Number(first), Number(second)]
  const lines: DiffLine[] = []
  for (const row of rows.slice(start + 1)) {
    const rest = row.slice(1)
    if (row.startsWith('+')) lines.push({ kind: 'add', text: rest, before: undefined, after: after++ })
    else if (row.startsWith('-')) lines.push({ kind: 'remove', text: rest, before: before++, after: undefined })
    else if (row.startsWith(' ')) lines.push({ kind: 'context', text: rest, before: before++, after: after++ })
  }
  const numbers = lines.filter(({ kind }) => kind !== 'context').map(line => line.after ?? line.before ?? 0)
  return { lines, from: Math.min(...numbers), to: Math.max(...numbers) }
}

/** Reads a unified diff of several files. */
export function parseDiff(diff: string): readonly DiffFile[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter(part => part.trim() !== '')
    .map(part => {
      const [head = '', ...hunks] = part.split(/^(?=@@ )/m)
      return { path: pathIn(head), notes: notesIn(head), hunks: hunks.map(parseHunk) }
    })
}

function pathIn(head: string): string {
  const name = (sign: string): string | undefined =>
    new RegExp(`^${sign} (?:"?[ab]/)?(.*?)"?\\t?$`, 'm').exec(head)?.[1]
  const after = name('\\+\\+\\+')
  return (after === '/dev/null' ? name('---') : after) ?? /^diff --git a\/(.*) b\//m.exec(head)?.[1] ?? ''
}

const notesIn = (head: string): readonly string[] =>
  head.split('\n').filter(line => /^(new file|deleted file|old mode|new mode|rename|Binary|similarity)/.test(line))

/** Counts the changed lines of unified diffs. */
export function countLines(diffs: readonly string[]): { readonly added: number; readonly removed: number } {
  let [added, removed] = [0, 0]
  for (const diff of diffs)
    for (const hunk of diff.split(/^(?=@@ )/m))
      for (const row of hunk.startsWith('@@') ? hunk.split('\n').slice(1) : []) {
        if (row.startsWith('diff --git ')) break
        if (row.startsWith('+')) added++
        else if (row.startsWith('-')) removed++
      }
  return { added, removed }
}

/** The nearest declaration at or above the first change that the hunk shows: where a person is. */
export function placeIn({ lines }: DiffHunk): string | undefined {
  const first = lines.findIndex(({ kind }) => kind !== 'context')
  const end = lines.findIndex((line, at) => at > first && line.kind === 'context')
  const changed = lines.slice(first, end < 0 ? undefined : end)
  for (const { text } of [...lines.slice(0, first).toReversed(), ...changed]) {
    const [, name] = DECLARATION.exec(text) ?? ARROW.exec(text) ?? []
    if (name !== undefined) return name
  }
  return undefined
}

const DECLARATION =
  /^\s*(?:export |default |async |public |private |static |pub )*(?:function\*?|def|func|fn|class|interface|struct|impl|trait|enum|type)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u
const ARROW =
  /^\s*(?:export )?(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::[^=]+)?=\s*(?:async )?(?:\(|function|[\p{L}_$]+ =>)/u
