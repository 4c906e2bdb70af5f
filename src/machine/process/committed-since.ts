import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { sanitize } from '../../kernel/sanitize.ts'
import type { CommitStore } from '../workspace/commit/commit-store.ts'
import { listUndo, newestUndo, undoneCommits, undoPaths, undoSince } from '../workspace/commit/list-undo.ts'
import { hardenedGit } from './overlay/hardened-git.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the newest git commit, in one line, that contains a file of this change (default: the newest change). */
export function gitCommitSince(
  store: CommitStore,
  root: string,
  id: string | undefined,
  env: Environment,
): string | undefined {
  const changeId = id ?? newestUndo(store)
  if (changeId === undefined || !listUndo(store).some(change => change.id === changeId)) return undefined
  const paths = undoPaths(store, changeId)
  // Undo takes back what the change did in the repository too, and finds itself what git did there since.
  const since = paths.includes('.git') ? undefined : committedSince(root, paths, undoSince(store, changeId), env)
  // A change that is already undone cannot be undone again.
  return since === undefined || undoneCommits(store).has(changeId) ? undefined : sanitize(since, { max: 200 })
}

/** Returns the newest git commit, in one line, that changed one of these paths after a time, or undefined. */
function committedSince(root: string, paths: readonly string[], at: number, env: Environment): string | undefined {
  if (paths.length === 0) return undefined
  const git = (...args: readonly string[]): string => {
    const { status, stdout } = hardenedGit(root, args, undefined, env, { timeoutMs: 10_000, maxBytes: 1 << 20 })
    return status === 0 ? stdout.toString().trim() : ''
  }
  // Git stores whole seconds.
  const second = Math.floor(at / 1000)
  const format = '--format=%H %ct %h %s'
  const literal = paths.map(path => `:(literal)${path}`)
  const line = git('log', '-1', `--since=@${second}`, format, '--no-show-signature', '--', ...literal)
  const [, id = '', seconds, subject] = /^([0-9a-f]+) (\d+) (.*)$/.exec(line) ?? []
  if (Number(seconds) !== second) return subject
  const object = git('rev-parse', '--git-path', `objects/${id.slice(0, 2)}/${id.slice(2)}`)
  return isOlder(resolve(root, object), at) ? undefined : subject
}

/** Reports whether a file was written before this time. An unreadable file counts as newer. */
function isOlder(file: string, at: number): boolean {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: at }
  return mtimeMs + CLOCK_TICK_MS < at
}

/** Lag of a file system's clock. */
const CLOCK_TICK_MS = 10
