import type { CodeFault, UnfitCall } from '../../../kernel/edit-effects.ts'
import type { FoundEffects } from './types.ts'

/** The result for one file. */
interface Finding {
  readonly introduced: readonly CodeFault[]
  readonly cured: readonly CodeFault[]
  readonly callers: readonly UnfitCall[]
}

/** The findings about a change so far. */
export interface Findings {
  /** Sets the changed files that are judged. */
  about(changed: readonly string[]): void
  /** Adds the files of one server that the change affects, the nearest first. */
  expect(server: string, paths: readonly string[]): void
  put(path: string, finding: Finding): void
  addTests(paths: readonly string[]): void
  leaveOut(language: string): void
  /** Records why the findings stay incomplete. */
  fail(why: string): void
  /** Records that judging was stopped. */
  stop(): void
  /** Marks the findings as final. */
  finish(): void
  sofar(): FoundEffects
}

const STOPPED = 'judging was stopped, because a newer change came: ask again'

export function createFindings(initialPaths: readonly string[]): Findings {
  let changedPaths = initialPaths
  const orders = new Map<string, readonly string[]>()
  const findingByPath = new Map<string, Finding>()
  const unjudgedLanguages = new Set<string>()
  const tests = new Set<string>()
  let why: string | undefined
  let isFinished = false
  let isStopped = false
  return {
    about: paths => void (changedPaths = paths),
    expect: (server, paths) => void orders.set(server, paths),
    put: (path, finding) => void findingByPath.set(path, finding),
    addTests(paths) {
      for (const path of paths) tests.add(path)
    },
    leaveOut: language => void unjudgedLanguages.add(language),
    fail: reason => void (why ??= reason),
    stop() {
      isStopped = true
      why ??= STOPPED
    },
    finish: () => void (isFinished = true),
    sofar() {
      const order = [...orders.values()].flat()
      const findings = order.flatMap(path => findingByPath.get(path) ?? [])
      // Until the affected files are known, only the changed ones count.
      const openCount = (isFinished || orders.size > 0 ? order : changedPaths).filter(
        path => !findingByPath.has(path),
      ).length
      const isJudged = isFinished && openCount === 0 && why === undefined
      const languages = [...unjudgedLanguages].toSorted()
      const reason =
        why ?? (isJudged && languages.length > 0 ? `No language server judges ${languages.join(', ')}` : undefined)
      return {
        changed: changedPaths,
        introduced: findings.flatMap(({ introduced }) => introduced),
        cured: findings.flatMap(({ cured }) => cured),
        callers: findings.flatMap(({ callers }) => callers),
        tests: [...tests],
        complete: isJudged && languages.length === 0,
        left: isJudged ? 0 : Math.max(openCount, 1),
        unjudged: languages,
        ...(reason !== undefined && { why: reason }),
        ...(isStopped && { isStopped }),
      }
    },
  }
}
