import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ToolError } from '../../../kernel/error.ts'
import type { HiddenPaths } from '../../../kernel/hidden-paths.ts'
import { isSecretFile, type SecretReading } from '../../../kernel/secret-files.ts'
import type { IndexAnswer, IndexEngine } from '../../index/types.ts'
import type { Root } from '../../../machine/workspace/root.ts'
import type { Staging } from '../../../machine/workspace/staging.ts'
import { createView } from '../../../machine/workspace/view.ts'
import type { CodeEngine, GraphAnswer } from '../types.ts'
import { deadlineIn, within } from '../servers/deadline.ts'
import type { GraphRows, Tree, TreeFile, BlobFile } from './host/messages.ts'
import type { Graphs, Which } from './open-graphs.ts'
import { queryError } from './query-error.ts'
import { ensureReadOnly } from './read-only.ts'
import { languageOf } from '../../../languages/registry.ts'
import { isSettings } from '../../../languages/javascript/modules/module-settings.ts'
import { findRepository } from '../../../machine/process/overlay/find-repository.ts'
import { hardenedGit, namesIn } from '../../../machine/process/overlay/hardened-git.ts'
import type { Environment } from '../../../machine/state/directory.ts'

interface GraphParts {
  readonly root: Root
  readonly staging: Staging
  readonly mayRead: (path: string) => boolean
  readonly secretFiles: SecretReading
  readonly hides: HiddenPaths | undefined
  readonly index: IndexEngine
  readonly graphs: Graphs
}

const MOST_BYTES = 4 * 1024 * 1024
const LOOK_AGAIN_MS = 100

type Ask = CodeEngine['graph']

/** Answers graph queries for one call, from graphs without files that the call may not read. */
export function openGraph({ root, staging, mayRead, secretFiles, hides, index, graphs }: GraphParts): Ask {
  return async (query, { params = {}, commit, maxRows, timeoutMs, waitMs = Infinity, signal }) => {
    ensureReadOnly(query)
    const since = Date.now()
    const until = since + timeoutMs
    const leavesAt = since + Math.min(timeoutMs, waitMs)
    const timeLeft = (): number => Math.max(0, leavesAt - Date.now())
    const remainingTime = (): { timeoutMs: number; signal: AbortSignal | undefined } => ({
      timeoutMs: Math.max(1, until - Date.now()),
      signal,
    })
    const commitHash = commit === undefined ? undefined : commitNamed(root.path, commit, graphs.env)
    try {
      const work = answerQuestion()
      const rows = await (waitMs < timeoutMs
        ? within(deadlineIn(leavesAt - Date.now(), signal), work, () => notReady(waitMs))
        : work)
      return { ...rows, ...(commitHash !== undefined && { commit: commitHash }) } satisfies GraphAnswer
    } catch (error) {
      throw queryError(error, timeoutMs)
    }

    async function answerQuestion(): Promise<GraphRows> {
      return answer(commitHash === undefined ? await workspace() : ofCommit(commitHash))
    }

    async function answer({ known, tree, isStill }: Snapshot): Promise<GraphRows> {
      const question = { query, params, maxRows, maxBytes: MOST_BYTES }
      const ask = (which: Which) => graphs.ask({ which, ...question }, remainingTime())
      const rows = await ask({ known })
      if (rows) return rows
      const key = await graphs.prepare(await tree(), remainingTime())
      // A tree that changed while it was read belongs to no state that could be queried again.
      const graphAnswer = await ask({ key, ...((await isStill()) && { isOf: known }) })
      if (graphAnswer) return graphAnswer
      throw new ToolError('unavailable', 'The graph was removed during the query', { hint: 'Ask again.' })
    }

    async function workspace(): Promise<Snapshot> {
      const { repoHash } = await listFiles(1)
      return {
        known: `workspace\0${repoHash}`,
        tree: async () => stagedTree((await listFiles(Number.MAX_SAFE_INTEGER)).files.map(({ path }) => path)),
        isStill: async () => (await listFiles(1)).repoHash === repoHash,
      }
    }

    async function listFiles(limit: number): Promise<IndexAnswer> {
      for (;;) {
        const indexAnswer = await index.query(
          { by: 'all' },
          { limit, ...(waitMs < timeoutMs && { waitMs: timeLeft() }) },
        )
        if (indexAnswer.current) return indexAnswer
        signal?.throwIfAborted()
        if (Date.now() + LOOK_AGAIN_MS > leavesAt)
          throw new ToolError('timeout', 'The files of the workspace are still being read', {
            hint: 'Ask again: in a workspace process (toolwright up) the work continues.',
          })
        await pause(LOOK_AGAIN_MS)
      }
    }
  }

  function stagedTree(paths: readonly string[]): Tree {
    const view = createView(root, staging)
    const files = paths.filter(isCode).map((path): TreeFile => {
      const state = staging.get(path)?.state
      return state?.type === 'file' ? { path, bytes: view.bytes(state) } : { path }
    })
    return { directory: root.path, from: 'disk', files }
  }

  function ofCommit(commit: string): Snapshot {
    const all = graphs.filesAt(commit, () => filesAt(root.path, commit, graphs.env))
    const isConcerned = (path: string) => hides?.matches(path) || (secretFiles !== 'open' && isSecretFile(path))
    const deniedFiles = all.filter(({ path }) => isConcerned(path) && !mayRead(path))
    const leftOut = new Set(deniedFiles.map(({ path }) => path))
    const sum = createHash('sha256')
      .update([...leftOut].join('\0'))
      .digest('hex')
    return {
      known: `${commit}\0${sum}`,
      tree: async () => ({ directory: root.path, from: 'git', files: all.filter(({ path }) => !leftOut.has(path)) }),
      isStill: async () => true,
    }
  }
}

const notReady = (ms: number): ToolError =>
  new ToolError('timeout', `The graph did not answer within ${ms} ms`, {
    hint: 'Give it more time with "waitMs", or ask again: what was read is kept.',
  })

interface Snapshot {
  /** Identifies the tree, so that its graph is found again. */
  readonly known: string
  tree(): Promise<Tree>
  /** Reports whether nothing has changed since. */
  isStill(): Promise<boolean>
}

/** The full hash of a commit, from any name that git accepts. */
function commitNamed(root: string, commit: string, env: Environment): string {
  if (!findRepository(root))
    throw new ToolError('not_found', 'The workspace is in no git repository', {
      hint: 'Leave `commit` out to ask about the workspace as it is.',
    })
  if (commit.includes('\0')) throw new ToolError('invalid_input', '`commit` has a NUL character')
  // Everything after `:/` is text.
  const revision = commit.startsWith(':/') ? resolveCommit(commit) : commit
  const name = revision === undefined ? undefined : resolveCommit(`${revision}^{commit}`)
  if (name !== undefined) return name
  throw new ToolError('not_found', `Git knows no commit '${commit}' here`, {
    hint: 'Name a hash, a branch, a tag, or something like HEAD~3.',
  })

  function resolveCommit(said: string): string | undefined {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', said]
    const { status, stdout } = hardenedGit(root, args, undefined, env, { timeoutMs: 10_000 })
    const commitHash = stdout.toString().trim()
    return status === 0 && /^[0-9a-f]{40,64}$/.test(commitHash) ? commitHash : undefined
  }
}

/** The source files of a commit below the workspace, from git's objects alone. */
function filesAt(root: string, commit: string, env: Environment): readonly BlobFile[] {
  const { status, stdout } = hardenedGit(root, ['ls-tree', '-r', '-z', commit], undefined, env)
  if (status !== 0) throw new ToolError('io', `Git could not list the files of ${commit}`)
  return namesIn(stdout).flatMap(line => {
    // Links and submodules are no source code.
    const [, blob, path] = /^100\d{3} blob ([0-9a-f]+)\t([^]*)$/.exec(line) ?? []
    return blob !== undefined && path !== undefined && isCode(path) ? [{ path, blob }] : []
  })
}

const isCode = (path: string): boolean =>
  (languageOf(path) !== undefined || isSettings(path)) && !/(^|\/)node_modules\//.test(path)
