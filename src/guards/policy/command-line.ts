/** A command line as far as it can be told without a shell: `plain` means words and quotes only, so that the words are the arguments. */
export interface CommandLine {
  readonly plain: boolean
  readonly words: readonly string[]
  /** The words from each place where a shell would start a command, loosely: at the beginning, after an operator or an opening bracket. */
  readonly heads: readonly (readonly string[])[]
  /** The words from every other place: a program behind a wrapper (`env`, `xargs`, `sh -c`), or merely an argument. */
  readonly tails: readonly (readonly string[])[]
}

const SPECIAL = new Set(';|&<>()$`\n\r*?[]{}~!#\\')

/** Splits a command line into words; anything that a shell could give a meaning to makes it not plain. */
export function readCommand(line: string): CommandLine {
  const words: string[] = []
  let plain = line.trim() !== ''
  let word: string | undefined
  let quote = ''
  for (const char of line) {
    if (quote !== '') {
      if (char === quote) quote = ''
      else word += char
      if (quote === '"' && (char === '$' || char === '`' || char === '\\' || char === '!')) plain = false
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === ' ' || char === '\t') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      if (SPECIAL.has(char) || isControl(char)) plain = false
      word = (word ?? '') + char
    }
  }
  if (word !== undefined) words.push(word)
  if (quote !== '' || (words[0]?.includes('=') ?? true)) plain = false
  return { plain, words, ...startsOf(line) }
}

const isControl = (char: string): boolean => (char.codePointAt(0) ?? 0) < 32

function startsOf(line: string): Pick<CommandLine, 'heads' | 'tails'> {
  const heads = line
    .replaceAll(/\\\r?\n/g, '')
    .replaceAll(/["'\\]/g, '')
    .split(/[;|&<>()`\n\r{}]|\$\(/)
    .map(part => part.split(/[\s=]+/).filter(word => word !== ''))
  return { heads, tails: heads.flatMap(words => words.slice(1).map((_, at) => words.slice(at + 1))) }
}

/** Whether the words begin with the prefix; the program also matches by the last name of its path. */
export function beginsWith(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every(
    (token, at) => words[at] === token || (at === 0 && !token.includes('/') && words[0]?.split('/').at(-1) === token),
  )
}

/** Like `beginsWith`, with options allowed between the program and the rest: `git -C . push` begins with `git push`. */
export function beginsWithOptions(words: readonly string[], prefix: readonly string[]): boolean {
  if (beginsWith(words, prefix)) return true
  if (!beginsWith(words, prefix.slice(0, 1)) || !words[1]?.startsWith('-')) return false
  let at = 0
  for (const word of words) if (word === prefix[at] || (at === 0 && beginsWith([word], prefix.slice(0, 1)))) at++
  return at >= prefix.length
}
