import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mistakenTree } from './cached-trees.ts'
import { hardenedGit, namesIn } from './hardened-git.ts'
import type { LayerChange } from './layer-change.ts'
import { bytesOf } from './stage-changes.ts'
import { kindAt } from './valid-repository.ts'

/** Content that git would write at a path, as a commit, a tree or the index names it. */
export interface StoredPath {
  readonly path: string
  /** Octal, as git prints it. */
  readonly mode: string
  readonly id: string
}

interface Repositories {
  /** The repository before the command. */
  readonly before: string
  /** The repository as it would be, with all objects of both. */
  readonly after: string
  readonly made: readonly LayerChange[]
  readonly env: Readonly<Record<string, string | undefined>>
}

const PATIENCE_MS = 60_000
const INDEX = /^\.git\/(index|sharedindex\..+)$/
const OBJECTS = /^\.git\/objects(\/|$)/
/** Lists of steps may abbreviate what they name. */
const STEPS = /^\.git\/(rebase-merge|sequencer)\//
const EMPTY_TREE: ReadonlyMap<number, string> = new Map([
  [40, '4b825dc642cb6eb9a060e54bf8d69288fbee4904'],
  [64, '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'],
])

/**
 * Returns what the index and all commits and trees that something in the repository newly names hold at paths where
 * they differ from before. Returns undefined if git cannot list it.
 */
export function newStoredPaths(repositories: Repositories): readonly StoredPath[] | undefined {
  const { before, after, made, env } = repositories
  const kinds = kindsOf(repositories, newNames(before, made))
  if (kinds === undefined) return undefined
  const listings = [newInIndex(repositories), inCommits(repositories, kinds.commits), ...kinds.trees.map(inTree)]
  return listings.some(one => one === undefined) ? undefined : listings.flatMap(one => one ?? [])

  /** Compares with the old HEAD, because a tree alone has no parent. */
  function inTree(tree: string): readonly StoredPath[] | undefined {
    const head = hasRepository(before) ? git(before, ['rev-parse', '-q', '--verify', 'HEAD^{tree}'], env) : undefined
    const base = head?.toString('latin1').trim() ?? EMPTY_TREE.get(tree.length) ?? tree
    const differences = git(after, ['diff-tree', '-r', '-z', '--raw', '--no-renames', base, tree], env)
    return differences && pathsIn(differences)
  }
}

/** Returns which of these contents the repository's old history or index has at the same path. */
export function storedBefore(
  { before, env }: Pick<Repositories, 'before' | 'env'>,
  storedPaths: readonly StoredPath[],
): ReadonlySet<string> {
  if (!hasRepository(before)) return new Set()
  const paths = [...new Set(storedPaths.map(({ path }) => path))]
  const log = ['log', '--all', '--reflog', '-m', '--root', '--raw', '--no-abbrev', '--no-renames', '--format=', '-z']
  const history = git(before, ['--literal-pathspecs', ...log, '--', ...paths], env)
  const index = git(before, ['ls-files', '-s', '-z'], env)
  return new Set([...(history ? pathsIn(history) : []), ...(index ? entriesIn(index) : [])].map(keyOf))
}

/** Equal for equal content at the same path. */
export const keyOf = ({ path, mode, id }: StoredPath): string => `${mode} ${id} ${path}`

/** Returns the content of a blob. Returns undefined if it is larger than this, or not there. */
export const blobAt = (
  { after, env }: Pick<Repositories, 'after' | 'env'>,
  id: string,
  maxBytes: number,
): Buffer | undefined => git(after, ['cat-file', 'blob', id], env, undefined, maxBytes)

/**
 * Returns a reference under `refs/replace` that the command made and that puts other content in place of a file or a
 * tree: it changes what every commit holds.
 */
export function replacedContent({ before, after, made, env }: Repositories): string | undefined {
  if (!made.some(({ path }) => /^\.git\/(refs\/replace\/|packed-refs$)/.test(path))) return undefined
  const list = (root: string): readonly string[] =>
    git(root, ['for-each-ref', '--format=%(refname) %(objectname) %(objecttype)', 'refs/replace'], env)
      ?.toString('latin1')
      .split('\n')
      .filter(line => line !== '') ?? []
  const replacementsBefore = new Set(hasRepository(before) ? list(before) : [])
  const replacement = list(after).find(line => !replacementsBefore.has(line) && !line.endsWith(' commit'))
  return replacement?.split(' ')[0]
}

function git(
  root: string,
  args: readonly string[],
  env: Repositories['env'],
  input?: string,
  maxBytes?: number,
): Buffer | undefined {
  const options = { timeoutMs: PATIENCE_MS, ...(maxBytes !== undefined && { maxBytes }) }
  const bytes = input === undefined ? undefined : Buffer.from(input)
  const { status, stdout } = hardenedGit(root, ['--no-replace-objects', ...args], bytes, env, options)
  return status === 0 ? stdout : undefined
}

const hasRepository = (root: string): boolean => kindAt(join(root, '.git')) === 'directory'

/** Returns every object id in changed references, logs and state files that the same file did not have before. */
function newNames(before: string, made: readonly LayerChange[]): readonly string[] {
  const names = new Set<string>()
  for (const one of made) {
    if (one.type !== 'file' || OBJECTS.test(one.path) || INDEX.test(one.path)) continue
    const pattern = STEPS.test(one.path) ? /\b[0-9a-f]{4,64}\b/g : /\b[0-9a-f]{40,64}\b/g
    const place = join(before, one.path)
    const old = new Set(kindAt(place) === 'file' ? readFileSync(place, 'latin1').match(pattern) : [])
    for (const name of bytesOf(one).toString('latin1').match(pattern) ?? []) if (!old.has(name)) names.add(name)
  }
  return [...names]
}

interface NamedObjects {
  readonly commits: readonly string[]
  readonly trees: readonly string[]
}

function kindsOf({ after, env }: Repositories, names: readonly string[]): NamedObjects | undefined {
  if (names.length === 0) return { commits: [], trees: [] }
  const input = names.map(name => `${name}^{}\n`).join('')
  const lines = git(after, ['cat-file', '--batch-check'], env, input)?.toString('latin1').split('\n')
  const ofKind = (kind: string) =>
    lines?.flatMap(line => {
      const [id = '', type] = line.split(' ')
      return type === kind ? [id] : []
    }) ?? []
  return lines && { commits: ofKind('commit'), trees: ofKind('tree') }
}

/** Lists what each new commit holds that none of its parents does. */
function inCommits(
  { before, after, env }: Repositories,
  commits: readonly string[],
): readonly StoredPath[] | undefined {
  if (commits.length === 0) return []
  const tips = hasRepository(before)
    ? git(before, ['rev-list', '--no-walk', '--all', '--reflog'], env)
    : Buffer.alloc(0)
  if (tips === undefined) return undefined
  const tipIds = tips.toString('latin1').split('\n').filter(Boolean)
  const input = [...commits, ...tipIds.map(id => `^${id}`)].join('\n')
  const fresh = git(after, ['rev-list', '--ignore-missing', '--stdin'], env, `${input}\n`)?.toString('latin1')
  if (fresh === undefined) return undefined
  if (fresh === '') return []
  const compare = ['diff-tree', '--stdin', '-r', '-c', '-z', '--root', '--raw', '--no-renames', '--no-commit-id']
  const differences = git(after, compare, env, fresh)
  return differences && pathsIn(differences)
}

/** Returns the entries of a changed index that the one before does not have. Undefined if git cannot list them. */
export function newInIndex({ before, after, made, env }: Repositories): readonly StoredPath[] | undefined {
  if (!made.some(({ path }) => INDEX.test(path))) return []
  const list = (root: string) => git(root, ['ls-files', '-s', '-z'], env)
  const [old, now] = [hasRepository(before) ? list(before) : Buffer.alloc(0), list(after)]
  if (old === undefined || now === undefined) return undefined
  const keysBefore = new Set(entriesIn(old).map(keyOf))
  return entriesIn(now).filter(one => !keysBefore.has(keyOf(one)))
}

/**
 * Returns a directory of which the changed index has another tree than its entries make; '.' if git cannot list them.
 */
export function mistakenDirectory({ after, made, env }: Repositories): string | undefined {
  const one = made.find(({ path }) => path === '.git/index')
  if (one?.type !== 'file') return undefined
  const listing = git(after, ['ls-files', '-s', '-z'], env)
  return listing === undefined ? '.' : mistakenTree(bytesOf(one), entriesIn(listing))
}

/** Parses `ls-files -s -z`. */
const entriesIn = (listing: Buffer): readonly StoredPath[] =>
  namesIn(listing).flatMap(line => {
    const [head = '', path] = [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)]
    const [mode = '', id = ''] = head.split(' ')
    return [{ path, mode, id }]
  })

const ABSENT = /^0+$/

/** Parses raw differences, of merges too: the last mode and id of a line are those of the result. */
function pathsIn(raw: Buffer): readonly StoredPath[] {
  const paths: StoredPath[] = []
  const fields = namesIn(raw)
  for (let at = 0; at + 1 < fields.length; at++) {
    const head = fields[at] ?? ''
    const parents = /^:*/.exec(head)?.[0].length ?? 0
    if (parents === 0) continue
    const words = head.slice(parents).split(' ')
    const [mode = '', id = ''] = [words[parents], words[2 * parents + 1]]
    if (!ABSENT.test(id)) paths.push({ path: fields[at + 1] ?? '', mode, id })
    at++
  }
  return paths
}
