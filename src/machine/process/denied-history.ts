import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GitHistory } from '../../kernel/git-history.ts'
import { writePrivateFile } from '../state/private-file.ts'
import { pathsInHistory, pathsInIndex, referenceKinds, referenceTips } from './git-history.ts'
import { findRepository } from './overlay/find-repository.ts'

interface HistoryOptions {
  readonly root: string
  /** Stores the result, so that the next search covers only new commits. */
  readonly file: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reports whether commands run in the sandbox, which shows other files in place of denied ones. */
  readonly hides: boolean
}

/** Result for one set of rules with the references at these commits. Has no paths if there were too many. */
interface StoredHistory {
  readonly rules: string
  readonly tips: readonly string[]
  readonly paths?: readonly string[]
}

const MOST_TIPS = 20_000
const MOST_PATHS = 10_000

export function openHistory({ root, file, env, hides }: HistoryOptions): GitHistory {
  return {
    denied(rules, isDenied) {
      if (findRepository(root) === undefined) return hasGit(root) ? undefined : []
      const index = pathsInIndex(root, env)
      const committedPaths = deniedCommits(rules, isDenied)
      return index && committedPaths && [...new Set([...index.filter(isDenied), ...committedPaths])]
    },
    isHidden: path => hides && lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true,
    has(what) {
      const kinds = referenceKinds(root, env)
      if (kinds === undefined) return true
      return what === 'notes' ? kinds.notes : kinds.others
    },
  }

  function deniedCommits(rules: string, isDenied: (path: string) => boolean): readonly string[] | undefined {
    const tips = referenceTips(root, env)
    if (tips === undefined || tips.length > MOST_TIPS) return undefined
    const storedHistory = keptIn(file)
    const before = storedHistory?.rules === rules ? storedHistory : undefined
    if (before && before.tips.join() === tips.join()) return before.paths
    const newPaths = before?.paths ? pathsInHistory(root, env, before.tips) : undefined
    // If those commits are gone, the whole history is searched again; earlier results remain in the object store.
    const all = newPaths ?? pathsInHistory(root, env)
    const paths = all && [...new Set([...(before?.paths ?? []), ...all.filter(isDenied)])]
    const now: StoredHistory = { rules, tips, ...(paths && paths.length <= MOST_PATHS && { paths }) }
    keep(now)
    return now.paths
  }

  function keep(now: StoredHistory): void {
    try {
      writePrivateFile(file, `${JSON.stringify(now)}\n`)
    } catch {
      // The history is searched again.
    }
  }
}

const hasGit = (root: string): boolean => lstatSync(join(root, '.git'), { throwIfNoEntry: false }) !== undefined

function keptIn(file: string): StoredHistory | undefined {
  try {
    const { rules, tips, paths } = JSON.parse(readFileSync(file, 'utf8'))
    const isList = (value: unknown): value is string[] =>
      Array.isArray(value) && value.every(one => typeof one === 'string')
    if (typeof rules !== 'string' || !isList(tips) || (paths !== undefined && !isList(paths))) return undefined
    return { rules, tips, ...(paths && { paths }) }
  } catch {
    return undefined
  }
}
