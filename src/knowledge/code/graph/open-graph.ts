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
import { commitNamed, filesAt, isCode } from './commit-tree.ts'
import type { GraphRows, Tree, TreeFile } from './host/messages.ts'
import type { Graphs, Which } from './open-graphs.ts'
import { queryError } from './query-error.ts'
import { ensureReadOnly } from './read-only.ts'

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
