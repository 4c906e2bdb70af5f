/** Escapes that never match a line end: some classes, word boundaries, a tab, and escaped literals. */
const WITHIN_LINE = /\\[wdSbBt.+*?()|[\]{}^$\\/#&~-]/g
/** Syntax that may match or depend on a line end: other escapes, negations, anchors, flags, named classes. */
const DOUBTFUL = /[\\^$\p{Cc}]|\(\?(?!:|i\)|i:|P?<)|\[:/u

/**
 * Reports whether a match may cross line ends. This is a quick check that errs towards true. If false, `multiline` has
 * no effect, and matching lines are counted as ripgrep counts them without it.
 */
export const crossesLines = (pattern: string, regex: boolean): boolean =>
  regex ? DOUBTFUL.test(pattern.replaceAll(WITHIN_LINE, 'x')) : pattern.includes('\n')
