/** What a shell's arguments tell it to run, parsed as bash does. */
interface ShellInvocation {
  /** The text after `-c`, or a script in a file; neither if it reads its input. */
  readonly text?: string
  readonly file?: string
  /** A file of commands that it reads first. */
  readonly startFile?: string
  /**
   * It runs something that the arguments do not show: a profile, a person's input, an option that shells read
   * differently.
   */
  readonly isOpen: boolean
}

const WITH_FILE = new Set(['rcfile', 'init-file'])
const LONG =
  /^--?(debug|debugger|dump-po-strings|dump-strings|help|init-file|login|noediting|noprofile|norc|posix|pretty-print|rcfile|restricted|verbose|version|wordexp)$/

/** `words` begin with the name of the shell. */
export function readShellInvocation(words: readonly string[]): ShellInvocation {
  let at = 1
  let isOpen = false
  let startFile: string | undefined
  // Long options come first, with one dash or two.
  for (let long; (long = LONG.exec(words[at] ?? '')?.[1]) !== undefined; at++) {
    if (long === 'login') isOpen = true
    if (WITH_FILE.has(long)) startFile = words[++at]
  }
  const letters = readLetters(words, at)
  isOpen ||= /[il]/.test(letters.given) || letters.isUncertain
  const more = { isOpen, ...(startFile !== undefined && { startFile }) }
  const operand = words[letters.end]
  if (letters.given.includes('c')) return operand === undefined ? { isOpen: true } : { ...more, text: operand }
  return letters.given.includes('s') || operand === undefined ? more : { ...more, file: operand }
}

/** Each `o` and `O` takes a word of its own after the cluster; `-c` takes the first word after all options. */
function readLetters(
  words: readonly string[],
  from: number,
): { readonly given: string; readonly end: number; readonly isUncertain: boolean } {
  let [letters, end, isUncertain] = ['', from, false]
  for (; /^[-+]/.test(words[end] ?? ''); end++) {
    const word = words[end] ?? ''
    if (word === '-' || word === '--') return { given: letters, end: end + 1, isUncertain }
    letters += word.slice(1)
    const values = word.match(/o/gi)?.length ?? 0
    // Other shells take the rest of the cluster for the value, and have long options among the letters.
    isUncertain ||= word.startsWith('--') || (values > 0 && !/^.[^o]*o$/i.test(word))
    end += values
  }
  return { given: letters, end, isUncertain }
}
