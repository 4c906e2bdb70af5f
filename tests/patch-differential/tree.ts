import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Random } from './random.ts'

/** A file of a generated tree; content is bytes as latin-1. */
export interface TreeFile {
  readonly content: string
  readonly executable: boolean
}

export type Tree = ReadonlyMap<string, TreeFile>

/** A few files of few different lines, so that hunks fit in more than one place. */
export function randomTree(random: Random): Tree {
  const tree = new Map<string, TreeFile>()
  for (let left = 1 + random.int(4); left > 0; left--)
    tree.set(random.pick(NAMES), { content: randomContent(random), executable: random.chance(0.2) })
  return tree
}

/** An edited tree: lines changed, files created, deleted, renamed, copied, made executable. */
export function editedTree(random: Random, before: Tree): Tree {
  const tree = new Map(before)
  for (const [path, file] of before) {
    const act = random.int(100)
    const free = random.pick(NEW_NAMES)
    if (act < 45) tree.set(path, editedFile(random, file))
    else if (act < 53) tree.delete(path)
    else if (act < 68 && !tree.has(free)) {
      tree.delete(path)
      tree.set(free, random.chance(0.5) ? file : editedFile(random, file))
    } else if (act < 76 && !tree.has(free)) tree.set(free, random.chance(0.5) ? file : editedFile(random, file))
    else if (act < 84) tree.set(path, { ...file, executable: !file.executable })
  }
  const [first, second] = [...before.keys()]
  if (first !== undefined && second !== undefined && random.chance(0.06)) swap(tree, before, first, second)
  if (random.chance(0.15)) tree.set(random.pick(NEW_NAMES), { content: randomContent(random), executable: false })
  return tree
}

const swap = (tree: Map<string, TreeFile>, before: Tree, first: string, second: string): void => {
  for (const [path, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const file = before.get(other)
    if (file !== undefined) tree.set(path, file)
  }
}

export const editedFile = (random: Random, file: TreeFile): TreeFile => ({
  ...file,
  content: editedContent(random, file.content, 1 + random.int(4)),
})

function editedContent(random: Random, content: string, edits: number): string {
  const lines = content.split(/(?<=\n)/)
  for (let left = edits; left > 0; left--) {
    const at = random.int(lines.length + 1)
    const act = random.int(3)
    if (act === 0) lines.splice(at, 0, randomLine(random))
    else if (act === 1) lines.splice(at, 1 + random.int(3))
    else if (lines[at] !== undefined) lines[at] = randomLine(random)
  }
  const joined = lines.map((line, at) => (at < lines.length - 1 && !line.endsWith('\n') ? `${line}\n` : line)).join('')
  return random.chance(0.08) ? joined.replace(/\n$/, '') : joined
}

function randomContent(random: Random): string {
  const count = random.chance(0.1) ? 0 : random.int(random.chance(0.2) ? 80 : 25)
  // Half of the files repeat themselves, so that hunks fit in many places, some of them equally near.
  const period = random.chance(0.5)
    ? Array.from({ length: random.pick([2, 2, 3, 4, 4, 6]) }, () => randomLine(random))
    : []
  const lineAt = (at: number): string | undefined => (random.chance(0.05) ? undefined : period[at % period.length])
  const lines = Array.from({ length: count }, (_, at) => lineAt(at) ?? randomLine(random))
  const ends = random.int(10)
  const text = lines.map(line => (ends === 0 || (ends === 1 && random.chance(0.5)) ? crlf(line) : line)).join('')
  return random.chance(0.15) ? text.replace(/\n$/, '') : text
}

const crlf = (line: string): string => line.replace(/\r?\n$/, '\r\n')

const randomLine = (random: Random): string =>
  random.chance(0.4) ? `line ${random.int(1000)}\n` : `${random.pick(WORDS)}\n`

const WORDS = ['', 'a', 'b', '}', '  return x', '\tif', '-- a', '++ b', '@@ -1 +1 @@', 'caf\xe9', ' ', 'x \r'] as const

const NAMES = ['a.txt', 'b.txt', 'src/c.ts', 'src/d e.txt', 'dir/sub/f', 'q"uote', 'tab\tname', '\u00fcml.txt'] as const
const NEW_NAMES = ['n.txt', 'src/n.ts', 'new dir/n', 'z', 'deep/er/z.txt', '-dash', 'n\u00e9w'] as const

export function writeTree(directory: string, tree: Tree): void {
  mkdirSync(directory, { recursive: true })
  for (const [path, { content, executable }] of tree) {
    const place = join(directory, path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, content, 'latin1')
    if (executable) chmodSync(place, 0o755)
  }
}

export function readTree(directory: string): Tree {
  const tree = new Map<string, TreeFile>()
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const place = join(entry.parentPath, entry.name)
    const executable = (statSync(place).mode & 0o100) !== 0
    tree.set(place.slice(directory.length + 1), { content: readFileSync(place, 'latin1'), executable })
  }
  return tree
}
