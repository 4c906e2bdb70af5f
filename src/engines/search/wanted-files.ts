import { ToolError } from '../../kernel/error.ts'

export interface Wanted {
  matches(path: string): boolean
  /** Alternatives, each as texts that the last name of what matches it holds; where there are none, any name may match. */
  readonly lastTexts?: readonly (readonly string[])[]
  /** What lets ripgrep leave out files that cannot match; it may still show others. */
  readonly args: readonly string[]
  /** ripgrep shows no others. */
  readonly isExact: boolean
}

export type CompileGlob = (pattern: string) => Pick<Wanted, 'matches' | 'lastTexts'>

/** The glob of a search from a directory: the whole path below it must match. */
export function wantedFiles(compile: CompileGlob, glob: string): Wanted {
  if (glob === '**' || glob === '**/*') return { matches: () => true, args: [], isExact: true }
  const { matches, lastTexts } = compiled(compile, glob, glob)
  return { matches, ...(lastTexts && { lastTexts }), args: filterOf([glob]), isExact: false }
}

/** The globs that narrow a search of contents: a plain name such as `*.py` means files of that name anywhere. */
export function wantedBy(compile: CompileGlob, globs: readonly string[]): Wanted | undefined {
  if (globs.length === 0) return undefined
  const [without, only] = [globs.filter(glob => glob.startsWith('!')), globs.filter(glob => !glob.startsWith('!'))]
  const takes = only.map(glob => compiled(compile, glob, anywhere(glob)))
  const leaves = without.map(glob => compiled(compile, glob, below(anywhere(glob.slice(1)))))
  const args = filterOf(only)
  return {
    matches: path =>
      (takes.length === 0 || takes.some(glob => glob.matches(path))) && !leaves.some(glob => glob.matches(path)),
    args,
    isExact: without.length === 0 && args.length > 0 && only.every(isName),
  }
}

const isName = (glob: string): boolean => !glob.includes('/')
const anywhere = (glob: string): string => (isName(glob) ? `**/${glob}` : glob)

/** A directory that is left out takes with it what it holds. */
const below = (glob: string): string => (/\/(\*\*)?$/.test(glob) ? glob : `${glob}/**`)

function compiled(compile: CompileGlob, shown: string, glob: string): ReturnType<CompileGlob> {
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
function filterOf(globs: readonly string[]): readonly string[] {
  const names = globs.map(glob => glob.slice(glob.lastIndexOf('/') + 1))
  const arePlain = names.every(name => /^[\w.*?-]+$/.test(name) && !/^\**$/.test(name))
  return names.length > 0 && arePlain ? [...names.map(name => `--type-add=wanted:${name}`), '--type=wanted'] : []
}
