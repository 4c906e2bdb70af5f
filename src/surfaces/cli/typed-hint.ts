/** Hints are written for every surface. Whoever typed a command hears of its options and of the current directory. */
export const typedHint = (hint: string): string =>
  SAID_ELSEWHERE.reduce((text, [elsewhere, here]) => text.replace(elsewhere, here), hint)

const SAID_ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/\brelative to the workspace\./, 'relative to the current directory. Another workspace: --root DIR'],
  [/\bor replace all\./, 'or replace all of them with --all.'],
  [/^These can be undone: .*$/, 'See what can be undone: toolwright undo --list'],
]
