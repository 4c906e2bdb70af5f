import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom, type Random } from './random.ts'
import { editedFile, editedTree, randomTree, writeTree, type Tree } from './tree.ts'
import { gitDiffs } from './git-diffs.ts'
import { movedPatch, mutatedPatch } from './mutate-patch.ts'

/** One patch, the tree it is applied to, and what is known about both. */
export interface Case {
  readonly seed: number
  readonly by: 'git' | 'diff'
  /** The tree is exactly the one that the patch was made from, and the patch is as it was made. */
  readonly genuine: boolean
  readonly damaged: boolean
  readonly reverse: boolean
  /** Lines of context that the diff was asked for. */
  readonly context: number
  readonly tree: Tree
  /** Bytes as latin-1. */
  readonly patch: string
}

interface Draft {
  readonly seed: number
  readonly random: Random
  readonly trees: readonly [Tree, Tree, Tree]
  readonly context: number
  readonly by: 'git' | 'diff'
}

/** The cases of these seeds; a seed gives the same case alone as among thousands. */
export function makeCases(directory: string, seeds: readonly number[]): Case[] {
  const drafts = seeds.map(draftOf)
  const git = join(directory, 'git')
  mkdirSync(git)
  const steps = drafts.flatMap(({ trees: [first, second, third], context }) => [
    { before: first, after: second, context },
    { before: second, after: third, context },
  ])
  const diffs = gitDiffs(git, steps)
  return drafts.flatMap((draft, index) => {
    const patch = draft.by === 'git' ? (diffs[2 * index] ?? '') : gnuDiff(join(directory, `gnu${index}`), draft)
    return patch === '' ? [] : [caseOf(draft, patch, diffs[2 * index + 1] ?? '')]
  })
}

function draftOf(seed: number): Draft {
  const random = createRandom(seed)
  const first = randomTree(random)
  const second = editedTree(random, first)
  const third = editedTree(random, second)
  const context = random.pick([3, 3, 3, 1, 0, 2, 8])
  return { seed, random, trees: [first, second, third], context, by: random.chance(0.15) ? 'diff' : 'git' }
}

function caseOf({ seed, random, trees: [before, after], by, context }: Draft, first: string, next: string): Case {
  const reverse = random.chance(0.2)
  const tree = reverse ? after : before
  const kind = random.int(10)
  const common = { seed, by, reverse, context }
  if (kind < 2) return { ...common, genuine: true, damaged: false, tree, patch: first }
  if (kind < 4) return { ...common, genuine: false, damaged: false, tree: staleTree(random, tree), patch: first }
  if (kind < 5) return { ...common, genuine: false, damaged: false, tree, patch: first + next }
  const stale = random.chance(0.4) ? staleTree(random, tree) : tree
  const damaged = kind < 7 ? movedPatch(random, first) : mutatedPatch(random, first)
  return { ...common, genuine: false, damaged: true, tree: stale, patch: damaged }
}

/** Other edits since the patch was made. */
const staleTree = (random: Random, tree: Tree): Tree =>
  new Map([...tree].map(([path, file]) => [path, random.chance(0.8) ? editedFile(random, file) : file]))

function gnuDiff(directory: string, { trees: [before, after], context }: Draft): string {
  writeTree(join(directory, 'a'), before)
  writeTree(join(directory, 'b'), after)
  const command = `diff -ruN -U${context} a b > patch; test $? -lt 2`
  execFileSync('bash', ['-c', command], { cwd: directory, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } })
  return readFileSync(join(directory, 'patch'), 'latin1')
}
