import type { CodeFault, UnfitCall } from '../../../kernel/edit-effects.ts'
import type { FoundEffects } from './types.ts'

/** What one file came to. */
interface Finding {
  readonly introduced: readonly CodeFault[]
  readonly cured: readonly CodeFault[]
  readonly callers: readonly UnfitCall[]
}

/** What is known of a change so far. */
export interface Findings {
  /** The changed files that are judged. */
  about(changed: readonly string[]): void
  /** The files of one server that the change concerns, the nearest first. */
  expect(server: string, paths: readonly string[]): void
  put(path: string, finding: Finding): void
  addTests(paths: readonly string[]): void
  leaveOut(language: string): void
  /** Why something will not be known. */
  fail(why: string): void
  /** Everything that will be known is. */
  finish(): void
  sofar(): FoundEffects
}

export function createFindings(given: readonly string[]): Findings {
  let changed = given
  const orders = new Map<string, readonly string[]>()
  const found = new Map<string, Finding>()
  const unjudged = new Set<string>()
  const tests = new Set<string>()
  let why: string | undefined
  let isFinished = false
  return {
    about: paths => void (changed = paths),
    expect: (server, paths) => void orders.set(server, paths),
    put: (path, finding) => void found.set(path, finding),
    addTests(paths) {
      for (const path of paths) tests.add(path)
    },
    leaveOut: language => void unjudged.add(language),
    fail: reason => void (why ??= reason),
    finish: () => void (isFinished = true),
    sofar() {
      const order = [...orders.values()].flat()
      const findings = order.flatMap(path => found.get(path) ?? [])
      // Before anybody knows what is concerned, what was changed is.
      const left = (isFinished || orders.size > 0 ? order : changed).filter(path => !found.has(path)).length
      const isJudged = isFinished && left === 0 && why === undefined
      const languages = [...unjudged].toSorted()
      const reason = why ?? (isJudged && languages.length > 0 ? `Nobody judges ${languages.join(', ')}` : undefined)
      return {
        changed,
        introduced: findings.flatMap(({ introduced }) => introduced),
        cured: findings.flatMap(({ cured }) => cured),
        callers: findings.flatMap(({ callers }) => callers),
        tests: [...tests],
        complete: isJudged && languages.length === 0,
        left: isJudged ? 0 : Math.max(left, 1),
        unjudged: languages,
        ...(reason !== undefined && { why: reason }),
      }
    },
  }
}
