/** What a change does to code besides changing it, as the language servers of its languages say. */
export interface EditEffects {
  /** The rest in one line: what is not judged yet is never called sound. */
  readonly summary: string
  /** Errors that were not there before the change, the nearest to it first. */
  readonly introduced: Listed<CodeFault>
  /** Errors that are gone with it. */
  readonly cured: Listed<CodeFault>
  /** Those of the new errors that are at a call of something that was changed. */
  readonly callers: Listed<UnfitCall>
  /** Files of tests that import what was changed, however indirectly; the likeliest to tell first. */
  readonly tests: Listed<string>
  /** Every file that the change may concern was judged. Otherwise all of this is provisional. */
  readonly complete: boolean
  /** At least so many files are not yet judged. */
  readonly left: number
  /** Languages among the changed files that nobody judges. */
  readonly unjudged: readonly string[]
  /** What keeps it from being complete, where that is not time alone. */
  readonly why?: string
}

/** How a change came out, in one line; `undecided` are places that a refactoring left, though they may be meant. */
export function effectsSummary(
  { introduced, cured, complete, left, unjudged, why }: Omit<EditEffects, 'summary'>,
  undecided = 0,
): string {
  const isOpen = !complete && left > 0
  const reason = why === undefined ? '' : ` (${why})`
  const found = [
    // "No new errors" is not known where places are undecided: they may break when they run.
    ...(introduced.total > 0 || (complete && undecided === 0)
      ? [`${counted(introduced.total, 'new error')}${isOpen ? ' so far' : ''}`]
      : []),
    ...(undecided > 0 ? [`${counted(undecided, 'place')} not decided`] : []),
    ...(isOpen ? [`not judged yet: ${counted(left, 'file')}${reason}`] : []),
    ...(cured.total > 0 ? [`${cured.total} gone`] : []),
    ...(unjudged.length > 0 ? [`nobody judges ${unjudged.join(', ')}`] : []),
  ]
  return found.join(', ')
}

const counted = (count: number, what: string): string =>
  `${count === 0 ? 'no' : count} ${what}${count === 1 ? '' : 's'}`

/** What became known of an earlier change after it was answered. */
export interface LateEffects {
  /** Its `undo` id, or the transaction that it is in. */
  readonly id: string
  /** Changes before it that are judged together with it, where it came before they were. */
  readonly earlier?: readonly string[]
  readonly effects: EditEffects
}

/** The first of a list, and how many there are. */
export interface Listed<T> {
  readonly total: number
  readonly first: readonly T[]
}

/** A diagnostic of a file, as a language server or compiler reports it. */
export interface CodeFault {
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** 1-based, in UTF-16 units. */
  readonly column: number
  /** As the language's own tools name it, such as `TS2554` or `reportCallIssue`. */
  readonly code: string
  readonly message: string
}

/** A call that no longer fits what it calls. */
export interface UnfitCall {
  /** Who calls: `Class.method`, or `<module>` for code outside of any function. */
  readonly name: string
  readonly path: string
  readonly line: number
  /** The name of what is called. */
  readonly calls: string
  readonly code: string
}

/** `quick` tells what is known at a deadline, `complete` waits for all of it. */
export type EffectsMode = 'off' | 'quick' | 'complete'

/** What is told of changes, and what they are refused for. */
export interface EffectsRules {
  readonly mode: EffectsMode
  /** How long an answer waits for what it tells, unless it is to be complete. */
  readonly deadlineMs: number
  /** `new-errors`: what adds an error, or cannot be judged, does not land. */
  readonly refuse: 'nothing' | 'new-errors'
  /** Answers must be the same when the calls are made again: nothing is told that depends on how quick anybody was. */
  readonly sameAgain?: true
}
