import { EXAMPLE_FILES, SECRET_FILES } from '../../kernel/secret-files.ts'

/** Arguments that exclude files with secrets, so that ripgrep neither reads nor counts them. */
export const WITHOUT_SECRETS: readonly string[] = SECRET_FILES.flatMap(besidesExamples).map(
  glob => `--iglob=!**/${glob}`,
)

/** ripgrep cannot re-include a file that a glob excluded, so globs must be written around the examples. */
function besidesExamples(glob: string): readonly string[] {
  const beginning = glob.endsWith('*') ? glob.slice(0, -1) : undefined
  const examples = EXAMPLE_FILES.filter(name => beginning !== undefined && name.startsWith(beginning))
  if (beginning === undefined || examples.length === 0) return [glob]
  return anyButThese(
    beginning,
    examples.map(name => name.slice(beginning.length)),
  )
}

/** Returns globs for all names with this beginning that end in none of these ways. */
function anyButThese(beginning: string, endings: readonly string[]): readonly string[] {
  const next = [...new Set(endings.map(ending => ending.slice(0, 1)))].filter(letter => letter !== '')
  return [
    ...(endings.includes('') ? [] : [beginning]),
    next.length > 0 ? `${beginning}[!${next.join('')}]*` : `${beginning}?*`,
    ...next.flatMap(letter =>
      anyButThese(
        beginning + letter,
        endings.filter(ending => ending.startsWith(letter)).map(ending => ending.slice(1)),
      ),
    ),
  ]
}
