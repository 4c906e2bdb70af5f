import type { Ran } from './types.ts'

const NAME = '[\\w.@+-]{1,100}'
const SETTING = new RegExp(
  `(\\.git/(?:${NAME}/){0,9}(?:config(?:\\.worktree)?|hooks(?:/${NAME})?|info(?:/${NAME})?))['"]?: (?:Device or resource busy|Read-only file system)`,
)
const RENAMED = /\b(Invalid cross-device link|EXDEV)\b/

/** What programs print where the sandbox refuses them, and what to do instead. */
const HINTS: readonly (readonly [RegExp, (found: string) => string])[] = [
  [
    SETTING,
    path =>
      `${path} stays as it is in commands, because it can name programs that git runs. git -c NAME=VALUE sets a value for one command; for more, have a person change the file`,
  ],
  [
    RENAMED,
    found =>
      `A directory of the workspace cannot be renamed in one step in a command (${found}): write mv OLD NEW, which copies it, then git add -A OLD NEW in place of git mv; in a program, copy and remove it`,
  ],
]

/** Returns hints on what a command printed about its errors, some of which go to standard output. */
export function errorHints({
  exitCode,
  stdout,
  stderr,
}: Pick<Ran, 'exitCode' | 'stdout' | 'stderr'>): readonly string[] {
  const texts = exitCode === 0 ? [stderr] : [stderr, stdout]
  return HINTS.flatMap(([pattern, hint]) => {
    const subject = texts.flatMap(text => pattern.exec(text)?.[1] ?? [])[0]
    return subject === undefined ? [] : [hint(subject)]
  })
}
