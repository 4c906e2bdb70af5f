import { ToolError } from '../../kernel/error.ts'
import { belowOnly, globRules } from './glob-rules.ts'
import type { GrepOptions } from './types.ts'

export interface Wanted {
  matches(path: string): boolean
  /**
   * Alternatives, each as texts that the last name of a matching path contains. If there are none, any name may match.
   */
  readonly lastTexts?: readonly (readonly string[])[]
  /** Arguments that let ripgrep skip files that cannot match; it may still show others. */
  readonly args: readonly string[]
  /** ripgrep shows no other files. */
  readonly isExact: boolean
}

export type CompileGlob = (pattern: string) => Pick<Wanted, 'matches' | 'lastTexts'>

/** Compiles the glob of a search from a directory: the whole path below it must match. */
export function wantedFiles(compile: CompileGlob, glob: string): Wanted {
  if (glob === '**' || glob === '**/*') return { matches: () => true, args: [], isExact: true }
  const { matches, lastTexts } = compileGlob(compile, glob, belowOnly(glob))
  return { matches, ...(lastTexts && { lastTexts }), args: filterOf([glob]), isExact: false }
}

/** Compiles what narrows a search of contents: globs, file types, or both. */
export function wantedBy(
  compile: CompileGlob,
  { globs = [], typeGlobs }: Pick<GrepOptions, 'globs' | 'typeGlobs'>,
): Wanted | undefined {
  const globFilter = byGlobs(compile, globs)
  if (!typeGlobs) return globFilter
  const types = typeGlobs.map(glob => compile(glob))
  const isOfType = (path: string): boolean => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return types.some(type => type.matches(name))
  }
  const matches = globFilter ? (path: string) => isOfType(path) && globFilter.matches(path) : isOfType
  return { matches, args: globFilter?.args ?? filterOf(typeGlobs), isExact: false }
}

function byGlobs(compile: CompileGlob, globs: readonly string[]): Wanted | undefined {
  if (globs.length === 0) return undefined
  const matches = globRules((glob, given) => compileGlob(compile, given, glob), globs)
  const includingGlobs = globs.filter(glob => !glob.startsWith('!'))
  const args = filterOf(includingGlobs)
  return {
    matches,
    args,
    isExact: includingGlobs.length === globs.length && args.length > 0 && includingGlobs.every(isPlainName),
  }
}

const isPlainName = (glob: string): boolean => !/[/?]/.test(glob)

function compileGlob(compile: CompileGlob, shown: string, glob: string): ReturnType<CompileGlob> {
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

/**
 * Uses file types instead of `--glob`, which would also show ignored files. Uses only names that all glob readers
 * interpret alike: ripgrep's `?` is one byte and ours one character, and `*` matches both.
 */
function filterOf(globs: readonly string[]): readonly string[] {
  const names = globs.map(glob => glob.slice(glob.lastIndexOf('/') + 1).replaceAll('?', '*'))
  const arePlain = names.every(name => /^[\w.*-]+$/.test(name) && !/^\**$/.test(name))
  return names.length > 0 && arePlain ? [...names.map(name => `--type-add=wanted:${name}`), '--type=wanted'] : []
}
