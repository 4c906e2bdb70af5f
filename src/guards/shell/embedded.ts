import { gitEmbedded } from './git-embedded.ts'
import { EVALUATING } from './programs/builtins.ts'
import { programOf } from './programs/programs.ts'
import { innerCommand } from './programs/inner-command.ts'
import { literalWord, readArguments } from './programs/read-arguments.ts'
import { wrapperOf } from './programs/wrappers.ts'
import { programName } from './program-name.ts'
import { quoteWord } from './quote-word.ts'
import { quotedTexts, sedTexts, waysOut } from './program-text.ts'
import { readShellInvocation } from './shell-invocation.ts'

/** The commands that a program's arguments make it run. */
interface Embedded {
  readonly commands: readonly (readonly string[])[]
  /** Texts that are read as a command line. */
  readonly scripts: readonly string[]
  /** Texts that may be read as a command line. */
  readonly guesses?: readonly string[]
  /** The program runs something that its arguments do not show. */
  readonly hidden?: boolean
}

const NOTHING: Embedded = { commands: [], scripts: [] }

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'mksh', 'fish', 'rbash', 'csh', 'tcsh'])

export const isShell = (name: string): boolean => SHELLS.has(name)

/** What a program reads besides its arguments, if known. */
interface Given {
  readonly input?: string | undefined
  /** The text of each pipe among its arguments: `<(echo ls)`. */
  readonly pipes?: readonly (string | undefined)[] | undefined
}

/** Returns the commands and scripts in the arguments of this program, and in its input. */
export function embeddedIn(name: string, words: readonly string[], programInput: Given): Embedded {
  if (isShell(name)) return shellScript(words, programInput)
  if (INTERPRETERS.test(name)) return programTexts(words, programInput)
  return READ.get(name)?.(words, programInput) ?? optionCommands(name, words)
}

/** Returns the values of options that are commands, for every program with a table. */
function optionCommands(name: string, words: readonly string[]): Embedded {
  const program = programOf(name) ?? wrapperOf(name) ?? EVALUATING.get(name)
  if (!program) return NOTHING
  const { options } = readArguments(program, words.map(literalWord))
  const valuesOf = (kind: string): readonly string[] =>
    options.flatMap(({ kinds, isRisky, values }) =>
      values.filter((_, at) => kinds[at] === kind && (isRisky || kind === '!')).map(({ word }) => word.source),
    )
  // tar names the kind of its action first.
  return { commands: [], scripts: valuesOf('!').map(text => text.replace(/^exec=/, '')), guesses: valuesOf('?') }
}

const INTERPRETERS =
  /^(python[\d.]*|pypy[\d.]*|perl[\d.]*|ruby[\d.]*|node(js)?|deno|bun|php[\d.]*|lua(jit)?[\d.]*|tclsh[\d.]*|wish|rscript|julia|ghc|elixir|erl|groovy|guile|emacs|osascript|[gmn]?awk|original-awk)$/

type Read = (words: readonly string[], given: Given) => Embedded

const READ = new Map<string, Read>([
  ...['su', 'runuser', 'script'].map((name): [string, Read] => [name, sessionScript]),
  ['source', sourceScript],
  ...['vim', 'vi', 'nvim', 'gvim', 'view', 'ex', 'rvim', 'vimdiff'].map((name): [string, Read] => [name, editorScript]),
  ...'ed less more most gdb lldb dc bc m4 sqlite3 psql mysql mariadb ftp sftp lftp telnet mail mutt'
    .split(' ')
    .map((name): [string, Read] => [name, wayOut]),
  ...['at', 'batch', 'parallel'].map((name): [string, Read] => [name, queuedScript]),
  ...['sudo', 'doas', 'unshare', 'nsenter', 'chroot', 'newgrp'].map((name): [string, Read] => [name, shellOrCommand]),
  ['eval', words => ({ commands: [], scripts: [words.slice(words[1] === '--' ? 2 : 1).join(' ')] })],
  ['trap', words => ({ commands: [], scripts: words.slice(1).filter(notEnd).slice(0, 1) })],
  ['alias', aliasTexts],
  [
    'watch',
    words => ({
      commands: [],
      scripts: [
        words
          .slice(1)
          .filter(word => !word.startsWith('-'))
          .join(' '),
      ],
    }),
  ],
  // Its -c follows the file.
  ['flock', valueOf(/^-\w*c$|^--command$/, /^--command=([^]+)$/)],
  ['env', splitWords],
  ...['make', 'gmake'].map((name): [string, Read] => [name, recipes]),
  ['sed', sedScript],
  ['gsed', sedScript],
  ['bind', words => ({ ...NOTHING, guesses: words.slice(1).map(word => word.replace(/^[^:]*:/, '')) })],
  ['jobs', words => ({ commands: words[1] === '-x' ? [words.slice(2)] : [], scripts: [] })],
  ['find', findCommands],
  ['ip', namespaceCommand],
  ['git', gitEmbedded],
])

/** `ip netns exec NAME command`, or an abbreviation of each word. */
function namespaceCommand(words: readonly string[]): Embedded {
  const at = words.findIndex(word => /^ex?e?c?$/.test(word))
  return { commands: at < 0 ? [] : [words.slice(at + 2)], scripts: [] }
}

/** Returns the value of an option, in the next word or in the same one. */
function valueOf(option: RegExp, joined?: RegExp): (words: readonly string[]) => Embedded {
  return words => ({
    commands: [],
    scripts: words.flatMap((word, at) => {
      if (option.test(word)) return words.slice(at + 1, at + 2)
      return joined?.exec(word)?.slice(1) ?? []
    }),
  })
}

const scriptOf = (text: string): Embedded => ({ commands: [], scripts: [text] })

/** Options of `at` that name a file, or list and remove what waits. */
const QUEUE = /^-[A-Za-z]*[flrdc]/

/** Lines of the input are commands, unless the arguments say what to run. */
function queuedScript([name = '', ...rest]: readonly string[], given: Given): Embedded {
  const isGiven = programName(name) === 'parallel' ? rest.length > 0 : rest.some(word => QUEUE.test(word))
  return isGiven && given.input === undefined ? NOTHING : inputScript(given)
}

/** Without a command they start a shell, which reads the input; `sudo` only if an option says so. */
function shellOrCommand(words: readonly string[], given: Given): Embedded {
  const name = programName(words[0] ?? '')
  const isAsked = /^(sudo|doas)$/.test(name) && !words.some(word => /^(-[A-Za-z]*[si]|--(shell|login)$)/.test(word))
  if (isAsked || innerCommand(name, words)?.start !== undefined) return optionCommands(name, words)
  return inputScript(given)
}

const notEnd = (word: string): boolean => word !== '--'

/** The text replaces the name before the line is read, so nothing after it is certain. */
function aliasTexts(words: readonly string[]): Embedded {
  const texts = words.slice(1).filter(word => word.includes('='))
  return { commands: [], scripts: texts.map(word => word.slice(word.indexOf('=') + 1)), hidden: texts.length > 0 }
}

/** `env` splits the text, and reads its words before the rest of its own. */
function splitWords(words: readonly string[]): Embedded {
  const wrapper = wrapperOf('env')
  if (!wrapper) return NOTHING
  const { options, operands } = readArguments(wrapper, words.map(literalWord))
  const rest = operands.map(({ word }) => quoteWord(word.source)).join(' ')
  const texts = options.flatMap(({ kinds, values }) => (kinds === '!' ? values.map(({ word }) => word.source) : []))
  return { commands: [], scripts: texts.map(text => `env ${text} ${rest}`) }
}

const HIDDEN: Embedded = { ...NOTHING, hidden: true }

function shellScript(words: readonly string[], given: Given): Embedded {
  const { text, file, startFile, isOpen } = readShellInvocation(words)
  const main = text !== undefined ? scriptOf(text) : file !== undefined ? fileScript(file, given) : inputScript(given)
  const first = startFile === undefined ? NOTHING : fileScript(startFile, given)
  return {
    commands: [],
    scripts: [...first.scripts, ...main.scripts],
    hidden: isOpen || first.hidden === true || main.hidden === true,
  }
}

const inputScript = ({ input }: Given): Embedded => (input === undefined ? HIDDEN : scriptOf(input))

function sourceScript(words: readonly string[], given: Given): Embedded {
  // Without a file it is an error, and most often the name of a directory in a program text.
  if (words.length < 2) return NOTHING
  return fileScript(words[words[1] === '--' ? 2 : 1] ?? '', given)
}

/** A script in a file is not read. One from a pipe is, and an unknown one is hidden. */
function fileScript(file: string, { input, pipes = [] }: Given): Embedded {
  if (file !== '' && !STREAM.test(file)) return NOTHING
  const knownTexts = [input, ...pipes].filter(text => text !== undefined)
  return { commands: [], scripts: knownTexts, hidden: knownTexts.length === 0 || pipes.includes(undefined) }
}

const STREAM = /^\/(dev|proc)\/([^]*\/)?(stdin|fd\/\d+)$/

/** The value of `-c` may be in the same word, unlike a shell's. */
function sessionScript(words: readonly string[], given: Given): Embedded {
  const { scripts } = valueOf(/^-[a-bd-zA-Z]*c$|^--c[a-z]*$/, /^(?:-[a-bd-zA-Z]*c|--c[a-z]*=)([^]+)$/)(words)
  if (scripts.length > 0) return { commands: [], scripts }
  return inputScript(given)
}

function editorScript(words: readonly string[], { input = '' }: Given): Embedded {
  const scripts = words.flatMap(word => /!([^]+)$/.exec(word)?.slice(1) ?? [])
  const { texts, isCut } = quotedTexts(words.slice(1))
  return { commands: [], scripts, guesses: [...waysOut([...words.slice(1), input]), ...texts], hidden: isCut }
}

function wayOut(words: readonly string[], { input = '' }: Given): Embedded {
  return { ...NOTHING, guesses: waysOut([...words.slice(1), input]) }
}

function programTexts(words: readonly string[], { input = '', pipes = [] }: Given): Embedded {
  const programs = [...words.slice(1), input, ...pipes.filter(text => text !== undefined)]
  const { texts, isCut } = quotedTexts(programs)
  return { ...NOTHING, guesses: texts, hidden: isCut }
}

/** A makefile from a pipe or an option: the text after the colon or the tab of its rules runs. */
function recipes(words: readonly string[], { input }: Given): Embedded {
  const program = programOf('make')
  if (!program) return NOTHING
  const { options } = readArguments(program, words.map(literalWord))
  const texts = (...names: readonly string[]): readonly string[] =>
    options.filter(({ name }) => names.includes(name)).flatMap(({ values }) => values.map(({ word }) => word.source))
  const isRead = texts('-f', '--file', '--makefile').some(file => file === '-' || STREAM.test(file))
  const makefiles = [...texts('--eval', '-E'), ...(isRead ? [input] : [])]
  const lines = makefiles.flatMap(text => text?.split('\n') ?? [])
  return {
    ...NOTHING,
    guesses: lines.flatMap(line => [
      line.trim().replace(/^[@+-]+/, ''),
      line.slice(line.search(/[:;=(]/) + 1).replace(/^[\s;@+-]+/, ''),
    ]),
    hidden: makefiles.includes(undefined),
  }
}

function sedScript(words: readonly string[], { input = '' }: Given): Embedded {
  const guesses = sedTexts(words.slice(1))
  return { ...NOTHING, guesses: guesses.length > 0 ? [...guesses, input] : [] }
}

function findCommands(words: readonly string[]): Embedded {
  const commands: (readonly string[])[] = []
  for (let at = 1; at < words.length; at++) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(words[at] ?? '')) continue
    const start = at + 1
    while (at < words.length && words[at] !== ';' && words[at] !== '+') at++
    commands.push(words.slice(start, at))
  }
  return { commands, scripts: [] }
}
