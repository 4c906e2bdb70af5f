/** What a change breaks and repairs in code, as the language servers report it. */
export interface EditEffects {
  /** The rest in one line. It never calls a file sound that is not judged yet. */
  readonly summary: string
  /** Errors that the change introduced, the nearest to it first. */
  readonly introduced: Listed<CodeFault>
  /** Errors that the change removed. */
  readonly cured: Listed<CodeFault>
  /** New errors at a call of a changed declaration. */
  readonly callers: Listed<UnfitCall>
  /** Test files that import the changed code, directly or indirectly; the most likely to fail first. */
  readonly tests: Listed<string>
  /** Every file that the change may affect was judged. Otherwise the report is provisional. */
  readonly complete: boolean
  /** The least number of files that are not judged yet. */
  readonly left: number
  /** Languages among the changed files that no server judges. */
  readonly unjudged: readonly string[]
  /** Why the report is incomplete, if not for lack of time alone. */
  readonly why?: string
}

/**
 * Sums up a change in one line. `undecidedPlaces` counts places that a refactoring left alone because they may
 * be intended.
 */
export function effectsSummary(
  { introduced, cured, complete, left, unjudged, why }: Omit<EditEffects, 'summary'>,
  undecidedPlaces = 0,
): string {
  const isOpen = !complete && left > 0
  const reason = why === undefined ? '' : ` (${why})`
  const parts = [
    // "No new errors" is unknown while places are undecided: they may break at run time.
    ...(introduced.total > 0 || (complete && undecidedPlaces === 0)
      ? [`${countOf(introduced.total, 'new error')}${isOpen ? ' so far' : ''}`]
      : []),
    ...(undecidedPlaces > 0 ? [`${countOf(undecidedPlaces, 'place')} not decided`] : []),
    ...(isOpen ? [`not judged yet: ${countOf(left, 'file')}${reason}`] : []),
    ...(cured.total > 0 ? [`${cured.total} gone`] : []),
    ...(unjudged.length > 0 ? [`no language server judges ${unjudged.join(', ')}`] : []),
  ]
  return parts.join(', ')
}

const countOf = (count: number, what: string): string =>
  `${count === 0 ? 'no' : count} ${what}${count === 1 ? '' : 's'}`

/** Effects of an earlier change that became known after its answer. */
export interface LateEffects {
  /** The `undo` id of the change, or its transaction. */
  readonly id: string
  /** Changes before it that are judged together with it, because it came before their result. */
  readonly earlier?: readonly string[]
  readonly effects: EditEffects
}

/** The first entries of a list, and their total. */
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
  /** The caller: `Class.method`, or `<module>` for code outside any function. */
  readonly name: string
  readonly path: string
  readonly line: number
  /** The name of the called function. */
  readonly calls: string
  readonly code: string
}

/** `quick` reports what is known at a deadline, `complete` waits for everything. */
export type EffectsMode = 'off' | 'quick' | 'complete'

/** What answers report about changes, and which changes are refused. */
export interface EffectsRules {
  readonly mode: EffectsMode
  /** How long an answer waits for effects, unless it is to be complete. */
  readonly deadlineMs: number
  /** `new-errors`: a change that adds an error, or cannot be judged, does not land. */
  readonly refuse: 'nothing' | 'new-errors'
  /** Answers must be reproducible, so they report nothing that depends on timing. */
  readonly sameAgain?: true
}
