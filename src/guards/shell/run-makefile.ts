/** What a makefile starts: lines that may be commands, and the files that it includes. */
interface Makefile {
  readonly lines: readonly string[]
  readonly includes: readonly string[]
  /** It includes files that its text does not name. */
  readonly isOpen: boolean
}

const MOST_LINES = 2_000
const MAX_ROUNDS = 5

/** Reads the text of a makefile. A line that is no recipe names no program, so reading it as a command does no harm. */
export function readMakefile(text: string): Makefile {
  const plain = text.replaceAll(/\\\n[ \t]*/g, ' ')
  const values = new Map(
    [...plain.matchAll(/^[ \t]*(?:export[ \t]+|override[ \t]+)*([\w.-]+)[ \t]*(?:[:?+]{0,2}=)[ \t]*(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )
  const lines = plain
    .split('\n')
    .slice(0, MOST_LINES)
    .map(line => fillIn(line, values))
  const includes = lines.flatMap(line => /^ *(?:-|s)?include[ \t]+(.+)$/.exec(line)?.[1]?.trim().split(/\s+/) ?? [])
  return {
    lines: lines.flatMap(commandsIn),
    includes,
    isOpen: includes.some(name => /[*?[$]/.test(name)),
  }
}

/** Replaces variables that the file sets by their text. */
function fillIn(line: string, values: ReadonlyMap<string, string>): string {
  let text = line
  for (let round = 0; round < MAX_ROUNDS && text.length < 10_000; round++) {
    const expansion = text.replaceAll(/\$[({]([\w.-]+)[)}]/g, (whole, name: string) =>
      name === 'MAKE' ? 'make' : (values.get(name) ?? (/^[A-Z@<^*?+]/.test(name) ? whole : '')),
    )
    if (expansion === text) break
    text = expansion
  }
  return text
}

/** Returns the recipe of a line, whether it follows a target or stands on its own, and what its functions start. */
function commandsIn(line: string): readonly string[] {
  const recipe = line.startsWith('\t') ? line : /^[^=#]*:[^;]*;(.*)$/.exec(line)?.[1]
  const shellLines = [...line.matchAll(/\$\(shell[ \t]+([^]*)$/g)].map(([, rest = '']) => beforeClosing(rest))
  const assignment = /^[^=]*!=[ \t]*(.*)$/.exec(line)?.[1]
  return [recipe, ...shellLines, assignment].flatMap(text =>
    text === undefined ? [] : [text.replace(/^[\t @+-]+/, '').replaceAll('$$', '$')],
  )
}

/** Returns the text up to the parenthesis that closes it. */
function beforeClosing(text: string): string {
  let depth = 1
  for (const [at, char] of [...text].entries()) {
    if (char === '(') depth++
    if (char === ')' && --depth === 0) return [...text].slice(0, at).join('')
  }
  return text
}
