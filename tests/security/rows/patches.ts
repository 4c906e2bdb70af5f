import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { patchPaths } from '../../../src/machine/text/patch/patch.ts'
import type { Outcome } from '../../../src/kernel/outcome.ts'
import { snapshotOf, type Snapshot } from '../../../src/testing/temporary-workspace.ts'
import type { Toolkit } from '../../../src/toolkit.ts'
import { hashTree } from '../build-fixture.ts'
import { findings, type Findings, type Result, type Row, type RunRow } from '../row.ts'
import { makeWorld, type World } from '../world.ts'

interface PatchRow extends Row {
  /** Path to content; `@path` to the target of a link; `path#x` is executable. */
  readonly before: Tree
  readonly patch: string
  readonly after?: Tree
  readonly expect_fuzzy_mode?: string
}

type Tree = Readonly<Record<string, string | number>>

const PERMISSIONS = ['fs:read', 'fs:write']
const MOST_FUZZ = 3
/** A patch of thousands of files waits for the disk thousands of times; some of them show the same. */
const MOST_FILES = process.env['TOOLWRIGHT_LONG'] === '1' ? Infinity : 60

/** Applies each patch on a tree of its own: with our tool, with fuzz where the row has it, and with sage's where it can. */
export const patchRows = (): RunRow => async row => {
  const patchRow = withFewerFiles(row as PatchRow)
  const attempts: [string, Promise<Result>][] = [['patch', withPatch(patchRow)]]
  if (patchRow.expect_fuzzy_mode !== undefined) attempts.push(['fuzz', withFuzz(patchRow)])
  const file = onlyFile(patchRow)
  if (file !== undefined) attempts.push(['Edit', withEdit(patchRow, file)])
  const results = await Promise.all(attempts.map(async ([name, result]) => ({ name, ...(await result) })))
  return {
    ok: results.every(({ ok }) => ok),
    got: results.map(({ name, got }) => `${name}: ${got}`).join(' | '),
  }
}

function withFewerFiles(row: PatchRow): PatchRow {
  const parts = row.patch.split(/^(?=--- \/dev\/null$)/m)
  return parts.length > MOST_FILES ? { ...row, patch: parts.slice(0, MOST_FILES).join('') } : row
}

function withPatch(row: PatchRow): Promise<Result> {
  return inWorld(row, async (kit, world, found) => {
    const before = snapshotOf(world.root)
    const same = (what: string) =>
      found.demand(JSON.stringify(snapshotOf(world.root)) === JSON.stringify(before), `${what} changed the tree`)
    const dry = await kit.run('patch', { diff: row.patch }, { dryRun: true })
    same('a dry run')
    const check = await kit.run('patch', { diff: row.patch, check: true })
    same('a check')
    const { outcome } = await kit.run('patch', { diff: row.patch })
    // A dry run needs no approval, and a protected place may be read: only the patch itself is refused there.
    const isAsked = !outcome.ok && outcome.error.code === 'rejected'
    found.demand(isAsked || dry.outcome.ok === outcome.ok, 'the dry run said otherwise')
    found.demand(check.outcome.ok || !outcome.ok, 'the check said otherwise')
    if (!outcome.ok) same('a refused patch')
    else checkChanged(found, outcome, before, snapshotOf(world.root))
    judge(found, row, row.expect, outcome, world)
    return word(outcome)
  })
}

/** Fuzz may apply a patch that is refused without it; then it does what the patch says, and else nothing. */
function withFuzz(row: PatchRow): Promise<Result> {
  return inWorld(row, async (kit, world, found) => {
    const before = snapshotOf(world.root)
    const { outcome } = await kit.run('patch', { diff: row.patch, fuzz: MOST_FUZZ })
    if (!outcome.ok) found.demand(isAsBefore(row, world), 'a refused patch changed the tree')
    else {
      checkChanged(found, outcome, before, snapshotOf(world.root))
      const text = Object.values(treeOf(world.root)).join('')
      const added = [...row.patch.matchAll(/^\+(?!\+\+ )(.*?)\r?$/gm)].map(([, line = '']) => line)
      found.demand(
        added.every(line => text.includes(line)),
        'a line of the patch is missing',
      )
    }
    return word(outcome)
  })
}

function withEdit(row: PatchRow, file: string): Promise<Result> {
  return inWorld(row, async (kit, world, found) => {
    const { outcome } = await kit.run('Edit', { file, patch: row.patch }, { contract: 'sage' })
    if (!outcome.ok) found.demand(isAsBefore(row, world), 'a refused edit changed the tree')
    judge(found, row, row.expect, outcome, world)
    return word(outcome)
  })
}

async function inWorld(
  row: PatchRow,
  work: (kit: Toolkit, world: World, found: Findings) => Promise<string>,
): Promise<Result> {
  await using world = makeWorld()
  const found = findings()
  writeFileSync(join(world.base, 'outside.txt'), 'OUT\n')
  plant(world.root, '.git/config', '[core]\n')
  for (const [name, content] of Object.entries(row.before)) plant(world.root, name, String(content))
  const outside = hashTree(world.base, 'ws')
  const git = hashTree(join(world.root, '.git'))
  const kit = await world.open({ permissions: PERMISSIONS })
  const got = await work(kit, world, found)
  found.demand(hashTree(world.base, 'ws') === outside, 'something outside changed')
  found.demand(hashTree(join(world.root, '.git')) === git, 'something under .git changed')
  found.demand(row.patch.includes('OUT') || !world.state().includes('OUT'), 'text from outside shows')
  return found.result(got)
}

function judge(found: Findings, row: PatchRow, expected: string, outcome: Outcome, { root }: World): void {
  const accepted = row.ok ?? [expected]
  if (!accepted.includes('either'))
    found.demand(accepted.includes(outcome.ok ? 'apply' : 'reject'), `expected ${accepted.join(' or ')}`)
  if (!outcome.ok) {
    const { code, message } = outcome.error
    found.demand(code !== 'internal' && code !== 'timeout' && code !== 'io', `it failed: ${code}: ${message}`)
    return
  }
  const after = treeOf(root)
  if (row.after === undefined) return
  if ('count' in row.after) found.demand(Object.keys(after).length === Number(row.after['count']), 'other files')
  else found.demand(sorted(after) === sorted(row.after), `the tree is ${sorted(after).slice(0, 300)}`)
}

/** The answer names every file that changed, and no other. */
function checkChanged(found: Findings, { meta }: Outcome, before: Snapshot, after: Snapshot): void {
  const files = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(name => !name.endsWith('/'))
  const changed = files.filter(name => before[name] !== after[name]).toSorted()
  const told = [...new Set(meta.changed)].filter(name => files.includes(name)).toSorted()
  found.demand(JSON.stringify(told) === JSON.stringify(changed), `it told ${told.join()} and changed ${changed.join()}`)
}

const isAsBefore = (row: PatchRow, { root }: World): boolean => sorted(treeOf(root)) === sorted(row.before)

/** The one file that a patch names; undefined if it names several, or cannot be read. */
function onlyFile({ patch }: PatchRow): string | undefined {
  try {
    const { reads, writes, creates } = patchPaths(patch)
    const [file, ...more] = new Set([...reads, ...writes, ...creates])
    return more.length === 0 ? file : undefined
  } catch {
    return undefined
  }
}

function plant(root: string, name: string, content: string): void {
  const place = join(root, name.replace(/^@|#x$/g, ''))
  mkdirSync(dirname(place), { recursive: true })
  if (name.startsWith('@')) symlinkSync(content, place)
  else if (name.endsWith('#x')) chmodSync(place, 0o755)
  else writeFileSync(place, content)
}

/** A tree in the corpus's own form; git's metadata is looked at apart. */
function treeOf(root: string, below = ''): Record<string, string> {
  const tree: Record<string, string> = {}
  for (const name of readdirSync(join(root, below))) {
    const path = below === '' ? name : `${below}/${name}`
    const stats = lstatSync(join(root, path))
    if (path === '.git') continue
    if (stats.isDirectory()) Object.assign(tree, treeOf(root, path))
    else if (stats.isSymbolicLink()) tree[`@${path}`] = readlinkSync(join(root, path))
    else {
      tree[path] = readFileSync(join(root, path), 'utf8')
      if ((stats.mode & 0o111) !== 0) tree[`${path}#x`] = '1'
    }
  }
  return tree
}

const sorted = (tree: Tree): string =>
  JSON.stringify(
    Object.entries(tree)
      .map(([name, value]) => [name, String(value)])
      .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  )

const word = (outcome: Outcome): string => (outcome.ok ? 'apply' : `reject (${outcome.error.code})`)
