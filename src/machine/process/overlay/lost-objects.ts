import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hardenedGit } from './hardened-git.ts'
import type { LayerChange } from './layer-change.ts'
import { bytesOf } from './stage-changes.ts'
import { newInIndex } from './stored-paths.ts'
import { kindAt } from './valid-repository.ts'
import { writeRepository } from './write-repository.ts'

const PATIENCE_MS = 60_000

export interface RepositoryParts {
  readonly root: string
  /** Directory of ours in which the resulting repository is assembled. */
  readonly directory: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Files besides the objects that git needs to find them. */
const LOOKED_UP = /^\.git\/objects\/(info\/|pack\/(?!pack-[0-9a-f]+\.(pack|idx)$))/
/** Files that lead to objects. */
const LEADS = /^\.git\/(refs\/.+|logs\/.+|packed-refs|index|sharedindex\..+|[A-Z_]*HEAD)$/

/**
 * Returns in words which objects would be missing if these changes under `.git` landed: any that something leads to if
 * objects go, otherwise those that references, logs and the index newly lead to.
 */
export function lostObjects(parts: RepositoryParts, changes: readonly LayerChange[]): string | undefined {
  const loses = changes.some(({ type, path }) =>
    type === 'absent' ? path.startsWith('.git/objects/') : type === 'file' && LOOKED_UP.test(path),
  )
  if (!loses && !changes.some(({ type, path }) => type === 'file' && LEADS.test(path))) return undefined
  const { root, directory, env } = parts
  const place = join(directory, 'history')
  try {
    writeRepository(root, changes, place, loses)
    // An index that git cannot list is refused for its content.
    const entries = newInIndex({ before: root, after: place, made: changes, env }) ?? []
    const ids = entries.flatMap(({ mode, id }) => (mode === MODULE ? [] : [id]))
    const input = [
      ...ids,
      ...newInRecords(root, changes),
      ...(loses ? loggedBefore(root, place, env) : tipsOf(root, env)),
    ]
    const args = loses ? EVERYTHING : [...BRANCHES, ...promisorOptions(root)]
    const { status } = hardenedGit(place, [...args, '--stdin'], linesOf(input), env, { timeoutMs: PATIENCE_MS })
    if (status === 0) return undefined
    return status === null
      ? `the check for missing objects took longer than ${PATIENCE_MS / 1000} s`
      : 'objects that its references, logs or index lead to would be missing'
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** A commit of another repository. */
const MODULE = '160000'

const BRANCHES = ['rev-list', '--objects', '--quiet', '--all']
/** All roots that git protects from pruning. */
const EVERYTHING = [...BRANCHES, '--reflog', '--indexed-objects']

/** Logs, and what a merge and the like go on from. What ORIG_HEAD and FETCH_HEAD name, git may drop at any time. */
const RECORDS = /^\.git\/(logs\/.+|(?!(ORIG|FETCH)_)[A-Z_]+_HEAD)$/
const NAMED = /^([0-9a-f]{40,64})(?: ([0-9a-f]{40,64}) )?/gm
const ABSENT = /^0+$/

/** Returns the objects that changed records name, and that none of them named before, under that path or another. */
function newInRecords(root: string, made: readonly LayerChange[]): readonly string[] {
  const records = made.filter(({ path }) => RECORDS.test(path))
  const places = records.map(({ path }) => join(root, path)).filter(place => kindAt(place) === 'file')
  const idsBefore = new Set(places.flatMap(place => namedIn(readFileSync(place, 'latin1'))))
  const ids = records.flatMap(one => (one.type === 'file' ? namedIn(bytesOf(one).toString('latin1')) : []))
  return [...new Set(ids)].filter(id => !idsBefore.has(id))
}

/** Returns the objects that a log of the result names and the repository has. Git itself only warns about their loss. */
function loggedBefore(root: string, place: string, env: RepositoryParts['env']): readonly string[] {
  const logs = join(place, '.git/logs')
  if (kindAt(logs) !== 'directory') return []
  const files = readdirSync(logs, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const ids = files.flatMap(({ parentPath, name }) => namedIn(readFileSync(join(parentPath, name), 'latin1')))
  const check = ['cat-file', '--batch-check=%(objectname) %(objecttype)']
  const { stdout } = hardenedGit(root, check, linesOf([...new Set(ids)]), env, { timeoutMs: PATIENCE_MS })
  return linesIn(stdout).flatMap(line => (line.endsWith(' missing') ? [] : [line.split(' ')[0] ?? '']))
}

const namedIn = (text: string): readonly string[] =>
  [...text.matchAll(NAMED)].flatMap(([, one = '', other = '']) =>
    [one, other].filter(id => id !== '' && !ABSENT.test(id)),
  )

/** Options that exclude objects available from another repository. */
function promisorOptions(root: string): readonly string[] {
  const config = join(root, '.git/config')
  const text = kindAt(config) === 'file' ? readFileSync(config, 'latin1') : ''
  return /promisor|partialclone/i.test(text) ? ['--exclude-promisor-objects'] : []
}

/** Returns the previous tips of the references. Everything behind them is complete. */
function tipsOf(root: string, env: RepositoryParts['env']): readonly string[] {
  const { stdout } = hardenedGit(root, ['for-each-ref', '--format=^%(objectname)'], undefined, env)
  return linesIn(stdout)
}

const linesIn = (output: Buffer): readonly string[] => output.toString('latin1').split('\n').filter(Boolean)

const linesOf = (lines: readonly string[]): Buffer => Buffer.from(lines.map(line => `${line}\n`).join(''))
