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
  let known = { directory: '', isEntered: true }

  function isEntered(directory: string): boolean {
    if (directory === '' || directory === known.directory) return directory === '' || known.isEntered
    const entered = isEntered(above(directory)) && last(directory, true)?.takes !== false
    known = { directory, isEntered: entered }
    return entered
  }

  return path => (!leavesSome || isEntered(above(path))) && (last(path, false)?.takes ?? !takesSome)
}

const above = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

function rulesOf(compile: Compile, glob: string): readonly GlobRule[] {
  const takes = !glob.startsWith('!')
  const body = takes ? glob : glob.slice(1)
  const ofDirectories = body.endsWith('/')
  const named = anywhere(ofDirectories ? body.slice(0, -1) : body)
  const rule = { takes, ofDirectories, matches: compile(belowOnly(named), glob).matches }
  return takes && ofDirectories
    ? [rule, { takes, ofDirectories: false, matches: compile(belowOnly(`${named}/`), glob).matches }]
    : [rule]
}

/** A plain name such as `*.py` matches files of that name anywhere. */
const anywhere = (glob: string): string => (glob === '' || glob.includes('/') ? glob : `**/${glob}`)

/** Matches below `dir` for `dir/**` and `dir/`, but not a file named `dir`. */
export const belowOnly = (glob: string): string =>
  (glob.includes('{') ? glob.replaceAll(/\/\*\*(?=[,}])/g, '/**/*') : glob).replace(/(?<=[^/])\/(?:\*\*)?$/, '/**/*')
