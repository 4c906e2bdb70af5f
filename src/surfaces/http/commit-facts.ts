import { ToolError } from '../../kernel/error.ts'
import { isoTime } from '../../kernel/time.ts'
import { isCall, type CallRecord } from '../../machine/journal/record.ts'
import { newestFirst } from '../../machine/journal/segments.ts'
import { commitDiff } from '../../machine/workspace/commit/commit-diff.ts'
import { undoneCommits } from '../../machine/workspace/commit/list-undo.ts'
import type { Toolkit } from '../../toolkit.ts'
import { isOfAgent } from './call-rows.ts'

/** One commit with the call that made it. */
interface CommitFacts {
  readonly id: string
  readonly at: string
  readonly paths: readonly string[]
  readonly undoneBy?: string
  readonly call?: Pick<CallRecord, 'id' | 'client' | 'agent' | 'task' | 'tool' | 'approval' | 'verdict'>
}

/** Records that are looked at for the call of a commit: a long journal must not keep other clients waiting. */
const MOST_LOOKED_AT = 50_000

/** Returns the commits in the store, the newest first, each with its call if the journal still has it. */
export function commitsWithCalls(kit: Toolkit): readonly CommitFacts[] {
  const commits = kit.commits()
  const undone = undoneCommits(kit.workspace.store)
  const calls = callsOf(kit, new Set(commits.map(({ id }) => id)))
  return commits.map(({ id, at, paths }) => {
    const [undoneBy, call] = [undone.get(id), calls.get(id)]
    return { id, at: isoTime(at), paths, ...(undoneBy !== undefined && { undoneBy }), ...(call && { call }) }
  })
}

function callsOf(
  { state }: Toolkit,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, NonNullable<CommitFacts['call']>> {
  const calls = new Map<string, NonNullable<CommitFacts['call']>>()
  let lookCount = 0
  for (const record of newestFirst(state.journal)) {
    if (calls.size === wanted.size || ++lookCount > MOST_LOOKED_AT) break
    if (!isCall(record) || record.undo === undefined || !wanted.has(record.undo)) continue
    const { id, client, agent, task, tool, approval, verdict } = record
    calls.set(record.undo, {
      id,
      tool,
      ...(client !== undefined && { client }),
      ...(agent !== undefined && { agent }),
      ...(task !== undefined && { task }),
      ...(approval && { approval }),
      ...(verdict && { verdict }),
    })
  }
  return calls
}

/** Which commits a request wants to undo. */
export interface UndoWish {
  readonly commits?: readonly string[] | undefined
  readonly task?: string | undefined
  readonly agent?: string | undefined
}

/** Returns the wanted commits that are in force, the newest first; what an undo did is not one of them. */
export function commitsToUndo(all: readonly CommitFacts[], { commits, task, agent }: UndoWish): readonly CommitFacts[] {
  const unknown = commits?.find(id => !all.some(commit => commit.id === id))
  if (unknown !== undefined)
    throw new ToolError('not_found', `There is no commit '${unknown}' to undo`, { hint: 'GET /v1/commits lists them' })
  return all.filter(({ id, undoneBy, call }) => {
    if (undoneBy !== undefined) return false
    if (commits) return commits.includes(id)
    if (!call || call.tool.endsWith('/undo')) return false
    return (task === undefined || call.task === task) && (agent === undefined || isOfAgent(call, agent))
  })
}

/** A file that something else has changed since. */
interface LaterChange {
  readonly path: string
  readonly commit: string
  readonly by: string
  readonly task?: string
}

/** Returns the changes that were made after the chosen commits to their files, and are not undone with them. */
export function changedSince(all: readonly CommitFacts[], chosen: readonly CommitFacts[]): readonly LaterChange[] {
  const ids = new Set(chosen.map(({ id }) => id))
  const undoing = new Map(all.flatMap(({ id, undoneBy }) => (undoneBy === undefined ? [] : [[undoneBy, id]])))
  const placeOf = new Map(all.map(({ id }, place) => [id, place]))
  const changes = new Map<string, LaterChange>()
  for (const { id, paths } of chosen) {
    const own = placeOf.get(id) ?? 0
    for (const later of all.slice(0, own)) {
      const undoes = undoing.get(later.id)
      // A change and its undo are together none.
      const isNone = later.undoneBy !== undefined || (undoes !== undefined && (placeOf.get(undoes) ?? own) < own)
      if (isNone || ids.has(later.id)) continue
      for (const path of later.paths)
        if (paths.includes(path) && !changes.has(path))
          changes.set(path, { path, commit: later.id, ...authorOf(later) })
    }
  }
  return [...changes.values()]
}

const authorOf = ({ call }: CommitFacts) => ({
  by: call?.agent ?? call?.client ?? 'unknown',
  ...(call?.task !== undefined && { task: call.task }),
})

const counted = new Map<string, { readonly added: number; readonly removed: number }>()

/** Counts the lines that a commit added and removed; undefined if they are no longer known. */
export async function countedLines(
  kit: Toolkit,
  id: string,
): Promise<{ readonly added: number; readonly removed: number } | undefined> {
  const known = counted.get(id)
  if (known) return known
  try {
    const { root, store } = kit.workspace
    const diff = commitDiff(root, store, id, { mayShow: () => true, conceal: await kit.concealer() })
    let [added, removed] = [0, 0]
    for (const hunk of diff.split(/^(?=diff --git |@@ )/m))
      if (hunk.startsWith('@@'))
        for (const line of hunk.split('\n').slice(1)) {
          if (line.startsWith('+')) added++
          else if (line.startsWith('-')) removed++
        }
    counted.set(id, { added, removed })
    return { added, removed }
  } catch (error) {
    if (error instanceof ToolError) return undefined
    throw error
  }
}
