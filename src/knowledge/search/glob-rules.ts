/** Compiles a glob that must match the whole path; `given` is the original glob. */
type Compile = (glob: string, given: string) => { matches(path: string): boolean }

interface GlobRule {
  readonly takes: boolean
  /** Matches directories only. */
  readonly ofDirectories: boolean
  readonly matches: (path: string) => boolean
}

/**
 * Reports whether globs include a file, with the rules of ripgrep's `--glob`: the last matching glob decides, and an
 * excluded directory excludes everything below it. One extension: `dir/`, which matches no file, includes everything
 * below it.
 */
export function globRules(compile: Compile, globs: readonly string[]): (path: string) => boolean {
  const rules = globs.flatMap(glob => rulesOf(compile, glob))
  const takesSome = rules.some(({ takes }) => takes)
  const leavesSome = rules.some(({ takes }) => !takes)
  const last = (path: string, isDirectory: boolean) =>
    rules.findLast(({ ofDirectories, matches }) => (isDirectory || !ofDirectories) && matches(path))
  // Paths arrive grouped by directory.
  let lastDirectory = { directory: '', isEntered: true }

  function isEntered(directory: string): boolean {
    if (directory === '' || directory === lastDirectory.directory) return directory === '' || lastDirectory.isEntered
    const canEnter = isEntered(above(directory)) && last(directory, true)?.takes !== false
    lastDirectory = { directory, isEntered: canEnter }
    return canEnter
  }

  return path => (!leavesSome || isEntered(above(path))) && (last(path, false)?.takes ?? !takesSome)
}

const above = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

function rulesOf(compile: Compile, glob: string): readonly GlobRule[] {
  const includes = !glob.startsWith('!')
  const body = includes ? glob : glob.slice(1)
  const ofDirectories = body.endsWith('/')
  const anchoredGlob = anywhere(ofDirectories ? body.slice(0, -1) : body)
  const rule = { takes: includes, ofDirectories, matches: compile(belowOnly(anchoredGlob), glob).matches }
  return includes && ofDirectories
    ? [rule, { takes: includes, ofDirectories: false, matches: compile(belowOnly(`${anchoredGlob}/`), glob).matches }]
    : [rule]
}

/** A plain name such as `*.py` matches files of that name anywhere. */
const anywhere = (glob: string): string => (glob === '' || glob.includes('/') ? glob : `**/${glob}`)

/** Matches below `dir` for `dir/**` and `dir/`, but not a file named `dir`. */
export const belowOnly = (glob: string): string =>
  (glob.includes('{') ? glob.replaceAll(/\/\*\*(?=[,}])/g, '/**/*') : glob).replace(/(?<=[^/])\/(?:\*\*)?$/, '/**/*')
