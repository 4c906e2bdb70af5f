/** Returns an argument list as one line that a shell reads back as exactly these words. */
export const quoteArgv = (argv: readonly string[]): string => argv.map(quoteWord).join(' ')

const PLAIN = /^[\w@%+=:,./-]+$/

const quoteWord = (word: string): string => {
  // A bare `NAME=value` in front would be an assignment, not a program.
  if (PLAIN.test(word) && !/^[A-Za-z_]\w*=/.test(word)) return word
  return `'${word.replaceAll("'", `'\\''`)}'`
}
