import { createRandom, type Random } from './random.ts'
import { gitDiffs } from './git-diffs.ts'
import type { Tree, TreeFile } from './tree.ts'

/** A patch with binary files, and the tree it is applied to; bytes as latin-1. */
export interface BinaryCase {
  readonly seed: number
  readonly tree: Tree
  readonly patch: string
  readonly reverse: boolean
  /** The patch is as git made it, and the tree is the one it was made from. */
  readonly genuine: boolean
}

/** The cases of these seeds, of which one process of git makes the patches. */
export function binaryCases(directory: string, seeds: readonly number[]): BinaryCase[] {
  const drafts = seeds.map(seed => {
    const random = createRandom(seed)
    const before = randomTree(random)
    return { seed, random, before, after: editedTree(random, before) }
  })
  const pairs = drafts.map(({ before, after }) => ({ before, after, context: 3 }))
  const diffs = gitDiffs(directory, pairs, ['--binary'])
  return drafts.flatMap(({ seed, random, before, after }, index): BinaryCase[] => {
    const patch = diffs[index] ?? ''
    if (patch === '') return []
    const reverse = random.chance(0.3)
    const tree = reverse ? after : before
    const kind = random.int(4)
    if (kind < 2) return [{ seed, reverse, genuine: true, tree, patch }]
    if (kind === 2) return [{ seed, reverse, genuine: false, tree: editedTree(random, tree), patch }]
    return [{ seed, reverse, genuine: false, tree, patch: damaged(random, patch) }]
  })
}

function randomTree(random: Random): Tree {
  const tree = new Map<string, TreeFile>()
  for (let left = 1 + random.int(3); left > 0; left--)
    tree.set(random.pick(NAMES), { content: randomBytes(random), executable: random.chance(0.2) })
  tree.set('notes.txt', { content: 'one\ntwo\nthree\n', executable: false })
  return tree
}

function editedTree(random: Random, before: Tree): Tree {
  const tree = new Map(before)
  for (const [path, file] of before) {
    const act = random.int(10)
    if (act < 5) tree.set(path, { ...file, content: editedBytes(random, file.content) })
    else if (act === 5) tree.delete(path)
    else if (act === 6) {
      tree.delete(path)
      tree.set(`moved/${path}`, { ...file, content: editedBytes(random, file.content) })
    } else if (act === 7) tree.set(`copied/${path}`, { ...file, content: editedBytes(random, file.content) })
    else if (act === 8) tree.set(path, { ...file, executable: !file.executable })
  }
  if (random.chance(0.3)) tree.set('new.bin', { content: randomBytes(random), executable: false })
  return tree
}

/** Repeats itself in part, so that git finds deltas worth writing. */
function randomBytes(random: Random): string {
  const size = random.pick([0, 1, 3, 20, 300, 3000, 70_000])
  const period = 1 + random.int(200)
  const noise = Array.from({ length: Math.min(size, 400) }, () => random.int(256))
  const byteAt = (at: number): number => noise[at % (period + (at % 7))] ?? 0
  return `\0${Array.from({ length: size }, (_, at) => String.fromCharCode(byteAt(at))).join('')}`
}

function editedBytes(random: Random, content: string): string {
  const at = random.int(content.length + 1)
  const cut = random.pick([0, 1, 10, 200])
  const added = Array.from({ length: random.pick([0, 1, 5, 130, 300]) }, () => String.fromCharCode(random.int(256)))
  return content.slice(0, at) + added.join('') + content.slice(at + cut)
}

function damaged(random: Random, patch: string): string {
  const lines = patch.split(/(?<=\n)/)
  const at = random.int(lines.length)
  const line = lines[at] ?? ''
  const act = random.int(9)
  if (act === 0) lines.splice(at, 1)
  else if (act === 1) lines.splice(at, 0, line)
  else if (act === 2) lines[at] = line.replace(/[a-zA-Z0-9]/, random.pick(['x', 'Z', '0', '~', ' ']))
  else if (act === 3) return patch.slice(0, random.int(patch.length))
  else if (act === 4) return patch.replace(/^index ([0-9a-f]{7})[0-9a-f]*\.\.([0-9a-f]{7})[0-9a-f]*/gm, 'index $1..$2')
  else if (act === 5) return patch.replace(/^(literal|delta) (\d+)/m, (_, kind, size) => `${kind} ${Number(size) + 1}`)
  else if (act === 6) return patch.replace(/^literal /m, 'delta ')
  // Without the half that takes it back.
  else if (act === 7) return patch.replace(/^(GIT binary patch\n(?:.+\n)+\n)(?:literal|delta) \d+\n(?:.+\n)+\n/gm, '$1')
  else return patch.replace(/\n/g, '\r\n')
  return lines.join('')
}

const NAMES = ['a.png', 'b.bin', 'src/c d.dat', '\u00fcml.bin'] as const
