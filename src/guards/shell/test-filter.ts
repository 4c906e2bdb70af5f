const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Programs that pass the words after a script or a tool on to it. */
const RUNNERS = names('npm pnpm yarn bun uv poetry pipenv pdm hatch rye bundle cargo')
/** Their subcommands that are followed by the name of a script or a tool. */
const STARTS = names('exec x dlx run run-script rum urn')
/** Options of test runners that pick tests by name. */
const FILTERS = names('-t -g -k --grep --fgrep --test-name-pattern --testNamePattern --testPathPattern --filter')

/**
 * Reports whether a word is the name of tests for a runner that another program starts: `npm test -- -t 'git push'`.
 * Without a tool before it the option belongs to the program, and the word may be a command.
 */
export function filtersTests(program: string, words: readonly string[], at: number): boolean {
  if (!RUNNERS.has(program) || !FILTERS.has(words[at - 1] ?? '')) return false
  const [first = '-', second = '-'] = words.slice(1, at - 1)
  const isStarted = isPlain(first) && (isPlain(second) || !STARTS.has(first))
  return isStarted || words.slice(1, at - 1).includes('--')
}

const isPlain = (word: string): boolean => /^\w/.test(word)
