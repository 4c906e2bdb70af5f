import { ToolError } from '../../kernel/error.ts'

export interface Wanted {
  matches(path: string): boolean
  /** What lets ripgrep leave out files that cannot match; it may still show others. */
  readonly args: readonly string[]
  /** ripgrep shows no others. */
  readonly isExact: boolean
}

type CompileGlob = (pattern: string) => { matches(path: string): boolean }

/** The glob of a search from a directory: the whole path below it must match. */
export function wantedFiles(compile: CompileGlob, glob: string): Wanted {
  return { matches: compiled(compile, glob, glob).matches, args: filterOf(glob), isExact: false }
}

/** The glob that narrows a search of contents: a plain name such as `*.py` means files of that name anywhere. */
export function wantedAnywhere(compile: CompileGlob, glob: string): Wanted {
  const isName = !glob.includes('/')
  const args = filterOf(glob)
  return {
    matches: compiled(compile, glob, isName ? `**/${glob}` : glob).matches,
    args,
    isExact: isName && args.length > 0,
  }
}

function compiled(compile: CompileGlob, shown: string, glob: string): { matches(path: string): boolean } {
  try {
    return compile(glob)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    throw new ToolError('invalid_input', `Invalid glob pattern '${cut(shown)}'`, {
      hint: [error.message, error.hint].filter(Boolean).join('; '),
      details: { glob: cut(shown) },
    })
  }
}

const cut = (glob: string): string => (glob.length > 200 ? `${glob.slice(0, 200)}…` : glob)

/** By file type and not by `--glob`, which would also show what git ignores. Only names that every reader of globs reads alike. */
function filterOf(glob: string): readonly string[] {
  const name = glob.slice(glob.lastIndexOf('/') + 1)
  const isPlain = /^[\w.*?-]+$/.test(name) && !/^\**$/.test(name)
  return isPlain ? [`--type-add=wanted:${name}`, '--type=wanted'] : []
}
