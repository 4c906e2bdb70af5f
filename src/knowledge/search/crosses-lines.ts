/** Escapes that no line end matches: some classes, word boundaries, a tab, and characters that stand for themselves. */
const WITHIN_LINE = /\\[wdSbBt.+*?()|[\]{}^$\\/#&~-]/g
/** What a line end may match, or what a line end decides: other escapes, negations, ends of lines, flags, classes by name. */
const DOUBTFUL = /[\\^$\p{Cc}]|\(\?(?!:|i\)|i:|P?<)|\[:/u

/**
 * Whether a match may go over line ends, as far as a glance can tell: where it says no, `multiline` changes nothing, and
 * matching lines are counted as ripgrep counts them then.
 */
export const crossesLines = (pattern: string, regex: boolean): boolean =>
  regex ? DOUBTFUL.test(pattern.replaceAll(WITHIN_LINE, 'x')) : pattern.includes('\n')
