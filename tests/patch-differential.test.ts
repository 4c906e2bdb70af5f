import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parsePatch } from '../src/machine/text/patch/parse-patch.ts'
import { gitApply } from './patch-differential/git-apply.ts'
import { makeCases, type Case } from './patch-differential/cases.ts'
import { ourApply, type OurResult } from './patch-differential/our-apply.ts'
import { needs } from './needs.ts'
import { readTree, writeTree, type Tree } from './patch-differential/tree.ts'

/** Replay one case with TOOLWRIGHT_SEED=n; TOOLWRIGHT_LONG=1 runs all. */
const only = process.env['TOOLWRIGHT_SEED']
const count = process.env['TOOLWRIGHT_LONG'] === '1' ? 5000 : 150
const seeds = only === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(only)]
const BATCH = 250

needs('git')(
  `applies ${seeds.length} generated diffs as git apply does: same acceptance, same bytes`,
  () => compare(),
  900_000,
)

function compare(): void {
  const tally: Record<string, number> = {}
  const differences: string[] = []
  for (let start = 0; start < seeds.length; start += BATCH)
    for (const { outcome, difference } of runBatch(seeds.slice(start, start + BATCH))) {
      tally[outcome] = (tally[outcome] ?? 0) + 1
      if (difference !== undefined) differences.push(difference)
    }
  if (only !== undefined || process.env['TOOLWRIGHT_LONG'] === '1') console.log(tally)
  expect(differences.slice(0, 5).join('\n\n')).toBe('')
  if (only !== undefined) return
  // A generator of diffs that are always refused would prove nothing.
  expect(tally['same bytes'] ?? 0).toBeGreaterThan(seeds.length / 3)
  expect(tally['both refuse'] ?? 0).toBeGreaterThan(seeds.length / 10)
}

interface Verdict {
  readonly outcome: string
  readonly difference?: string
}

function runBatch(batch: readonly number[]): Verdict[] {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-differential-'))
  try {
    const cases = makeCases(directory, batch)
    const runs = cases.map((one, index) => prepare(directory, `case${index}`, one))
    const ours = cases.map((one, index) => ourApply(join(directory, `case${index}`, 'w'), bytesOf(one), one.reverse))
    const gits = gitApply(directory, runs)
    return cases.map((one, index) => {
      const git = gits[index] ?? { ok: false, said: '' }
      const tree = git.ok ? readTree(join(directory, `case${index}`, 'w')) : undefined
      return verdictOf(one, ours[index] ?? { tree: new Map() }, tree, git.said)
    })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const bytesOf = (one: Case): Buffer => Buffer.from(one.patch, 'latin1')

function prepare(directory: string, name: string, one: Case) {
  mkdirSync(join(directory, name))
  writeTree(join(directory, name, 'w'), one.tree)
  writeFileSync(join(directory, name, 'patch'), bytesOf(one))
  const flags = ['-v', ...(one.reverse ? ['-R'] : []), ...(isBare(one) ? ['--unidiff-zero'] : [])]
  return { name, flags }
}

/** Git has to be told that a patch has no context; we see it. */
function isBare(one: Case): boolean {
  try {
    return parsePatch(bytesOf(one)).some(file => file.hunks.some(hunk => hunk.place === 'bare'))
  } catch {
    return false
  }
}

function verdictOf(one: Case, ours: OurResult, git: Tree | undefined, said: string): Verdict {
  const refused = 'refused' in ours ? ours.refused : undefined
  const differs = (what: string): Verdict => ({
    outcome: 'difference',
    difference: [
      `seed ${one.seed} (${one.by}${one.reverse ? ', reverse' : ''}): ${what}`,
      `git: ${said.trim()}`,
      `ours: ${refused === undefined ? 'applied' : `${refused.code} ${refused.message}`}`,
      one.patch,
      ...(process.env['TOOLWRIGHT_SEED'] === undefined ? [] : [show(one.tree), git === undefined ? '' : show(git)]),
      'tree' in ours ? show(ours.tree) : '',
    ].join('\n'),
  })
  if (refused !== undefined && git === undefined)
    return one.genuine && !copiesBack(one) && one.context > 0
      ? differs('a diff of this very tree was refused by both')
      : { outcome: 'both refuse' }
  if (refused === undefined && git === undefined) return differs('git refuses, we apply')
  if (refused !== undefined) {
    const rule = refused.details?.['rule'] ?? (joinsLines(one, refused.code) ? 'no-newline' : undefined)
    const allowed = one.damaged ? DAMAGED : one.genuine ? [] : UNDAMAGED
    return allowed.some(name => name === rule)
      ? { outcome: `stricter: ${String(rule)}` }
      : differs(`git applies, we refuse (${String(rule)})`)
  }
  if ('tree' in ours && git !== undefined && show(ours.tree) === show(git)) return { outcome: 'same bytes' }
  return isBare(one) && marksEnd(one) ? { outcome: 'other line without its end' } : differs('other bytes')
}

/** A copy cannot be taken back by copying: its source is there. */
const copiesBack = (one: Case): boolean => one.reverse && /^copy from /m.test(one.patch)

/** The rules of docs/patches.md that a patch can break though it is whole, and those that a damaged one can break. */
const UNDAMAGED = ['place', 'no-newline', 'order', 'directory']
const DAMAGED = [...UNDAMAGED, 'path', 'mode', 'names', 'counts', 'header', 'number', 'binary']

/** A hunk that says "end of file" where the file goes on: git joins two lines there, we find no place. */
const joinsLines = (one: Case, code: string): boolean => code === 'no_match' && marksEnd(one)

/** Git takes a line that goes on for the one without a line end; without context it may so remove another line. */
const marksEnd = (one: Case): boolean => /^\\ /m.test(one.patch)

const show = (tree: Tree): string =>
  [...tree]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, file]) => `${JSON.stringify(path)}${file.executable ? ' x' : ''} ${JSON.stringify(file.content)}`)
    .join('\n')
