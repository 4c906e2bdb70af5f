import { dirname, join } from 'node:path/posix'
import type { Argv } from './likely-commands.ts'
import { namedFiles, variableFiles } from './named-files.ts'
import { parseLine } from './parse-line.ts'
import { programName } from './program-name.ts'
import { configFilesOf, isInterpreter, isShell, readsCommands } from './run-files-known.ts'
import { readMakefile } from './run-makefile.ts'
import { runsPackageScripts, packageScripts, valueOf } from './run-package.ts'
import { startedCommands } from './started-commands.ts'

/** Returns the content of a file of the workspace; undefined if there is none. */
type ContentOf = (path: string) => string | undefined

/** What a line runs from the workspace. */
interface RunFiles {
  /** The texts, by the name that a person knows them by. */
  readonly texts: ReadonlyMap<string, string>
  /** The line itself also runs something that it does not name: `sh $file`, `cat x | sh`. */
  readonly isOpen: boolean
}

interface Following {
  readonly contentOf: ContentOf
  readonly texts: Map<string, string>
  isOpen: boolean
}

/** Where the commands of a text may run: each directory that it starts in or changes to. */
type Places = readonly string[]

const MOST_TEXTS = 200
const MOST_PLACES = 32
const MAX_DEPTH = 6
/** A longer script is compared as a whole, but not read for what it starts. */
const LONGEST_FOLLOWED = 50_000

/**
 * Returns the texts of the workspace that a line is known to run: scripts, what they start, makefiles, the scripts of a
 * `package.json`, and configuration that a program executes. If a program may take commands from files that the line
 * names (`sh < x`, `cat x | sh`), all of these count. Of a `package.json` only the scripts that run count. What an
 * interpreter other than a shell loads is not followed.
 */
export function runFiles(line: string, cwd: string, contentOf: ContentOf): RunFiles {
  // The same names are tried in every directory, again for each command.
  const contentsByPath = new Map<string, string | undefined>()
  const contentOnce: ContentOf = path => {
    if (!contentsByPath.has(path)) contentsByPath.set(path, contentOf(path))
    return contentsByPath.get(path)
  }
  const following: Following = { contentOf: contentOnce, texts: new Map(), isOpen: false }
  followLine(line, [cwd], following, 0)
  return { texts: following.texts, isOpen: following.isOpen }
}

const under = (place: string, path: string): string => (path.startsWith('/') ? join(path) : join(place, path))

function followLine(line: string, start: Places, following: Following, depth: number): void {
  if (depth > MAX_DEPTH || line.length > LONGEST_FOLLOWED) return
  const { commands, scripts, hidden, isCut } = startedCommands(parseLine(line))
  const places = placesOf(commands, start)
  const missing = commands.filter(argv => !followCommand(argv, places, following, depth))
  for (const path of variableFiles(scripts, commands)) addFile(path, places, following, depth)
  if (depth === 0 && (places.length === MOST_PLACES || commands.some(argv => runsUnsure(argv, commands))))
    following.isOpen = true
  if (!hidden && !isCut && missing.length === 0) return
  // A script also names what it writes, which changes with every run.
  const names = namedFiles(scripts, commands).filter(path => depth === 0 || CODE.test(path))
  for (const path of names) addFile(path, places, following, depth)
  if (depth === 0 && (hidden || isCut || missing.some(argv => argv.slice(1).some(({ sure }) => !sure))))
    following.isOpen = true
}

/**
 * Reports whether what a command runs depends on a word that is only known when the line runs: `sh $(cat x)`, `npm run
 * $name`, `make -f "$file"`, `cd "$place"` before one of these.
 */
function runsUnsure(argv: Argv, commands: readonly Argv[]): boolean {
  const [program, ...words] = argv
  if (program === undefined || words.every(({ sure }) => sure)) return false
  const name = programName(program.text)
  if (CHANGES.has(name)) return commands.some(other => other !== argv && runsFiles(other))
  if (isMake(name))
    return words.some(({ text, sure }, at) => !sure && (!/^-[jl]/.test(text) || isFileOption(words, at)))
  if (runsPackageScripts(name)) return words.slice(0, endOfOptions(words)).some(({ sure }) => !sure)
  const operand = words.find(({ text }) => !text.startsWith('-'))
  // The directory of `"$PWD/x"` is known.
  return runsFiles(argv) && operand?.sure === false && !operand.text.startsWith('/')
}

const isFileOption = (words: Argv, at: number): boolean => /^-[fC]$/.test(words[at - 1]?.text ?? '')

const endOfOptions = (words: Argv): number => {
  const at = words.findIndex(({ text, sure }) => sure && text === '--')
  return at === -1 ? words.length : at
}

function runsFiles([program]: Argv): boolean {
  if (program === undefined) return false
  const name = programName(program.text)
  const isRunner = isShell(name) || isInterpreter(name) || isMake(name) || runsPackageScripts(name)
  return (
    isRunner || program.text === '.' || /^\.{0,2}\/?[^/]+\//.test(program.text) || configFilesOf(name, []).length > 0
  )
}

const CODE = /\.(?:sh|bash|zsh|ksh|py|[cm]?[jt]s|pl|pm|rb|php|lua|awk|sed|sql|mk|r|tcl)$/i

/** Whether a change of the directory counts is not certain: it may fail, or happen in a subshell. */
function placesOf(commands: readonly Argv[], start: Places): Places {
  const places = new Set(start)
  for (const argv of commands) {
    const words = argv.map(({ text }) => text)
    const target = CHANGES.has(words[0] ?? '')
      ? words.slice(1).find(word => !word.startsWith('-'))
      : words[0] === 'env' || isMake(words[0] ?? '')
        ? valueOf(words, '-C', '--chdir', '--directory')
        : undefined
    if (target === undefined) continue
    const newPlaces = [...places].flatMap(place => spellingsOf(target).map(path => under(place, path)))
    for (const place of newPlaces.slice(0, MOST_PLACES)) places.add(place)
  }
  return [...places].slice(0, MOST_PLACES)
}

const isMake = (name: string): boolean => name === 'make' || name === 'gmake'

const CHANGES: ReadonlySet<string> = new Set(['cd', 'pushd', 'chdir'])

/** `"$PWD/x"` is read as `/x`. */
const spellingsOf = (path: string): readonly string[] =>
  path.startsWith('/') ? [path, path.replace(/^\/+/, '') || '.'] : [path]

/** Follows a command, and reports whether the files that it takes commands from are known. */
function followCommand(argv: Argv, places: Places, following: Following, depth: number): boolean {
  const [program = '', ...words] = argv.map(({ text }) => text)
  const name = programName(program)
  const add = (path: string, asShell = isShellScript) => addFile(path, places, following, depth, asShell)
  const isThere = program.includes('/') && add(program)
  if (isMake(name)) followMake(words, places, following, depth)
  else for (const file of optionFiles(words)) add(file)
  for (const file of configFilesOf(name, words)) add(file, () => false)
  if (runsPackageScripts(name)) followPackage(words, places, following, depth)
  if (readsCommands(name)) return false
  const isSourcing = program === '.' || name === 'source'
  if (isSourcing || isShell(name))
    return operandFiles(isSourcing ? 'source' : 'shell', words, path => add(path, () => true))
  if (isInterpreter(name)) return operandFiles('other', words, path => add(path, () => false))
  return isThere || !program.includes('/') || /^\/(usr|bin|sbin|opt)\//.test(program)
}

/** Adds a file in every place where it is, and reports whether there is one. */
function addFile(
  path: string,
  places: Places,
  following: Following,
  depth: number,
  asShell: (text: string) => boolean = isShellScript,
): boolean {
  const filePaths = new Set(places.flatMap(place => spellingsOf(path).map(spelling => under(place, spelling))))
  const isThere = [...filePaths].map(each => addOne(each, places, following, depth, asShell))
  return isThere.includes(true)
}

function addOne(
  path: string,
  places: Places,
  following: Following,
  depth: number,
  asShell: (text: string) => boolean,
): boolean {
  if (following.texts.has(path)) return true
  const text = following.contentOf(path)
  if (text === undefined) return false
  if (following.texts.size >= MOST_TEXTS) {
    following.isOpen = true
    return true
  }
  following.texts.set(path, text)
  if (asShell(text)) followLine(text, [...new Set([...places, dirname(path)])], following, depth + 1)
  return true
}

/** A script with another interpreter is not read as shell. */
const isShellScript = (text: string): boolean => !text.startsWith('#!') || /^#!.*\b(?:ba|da|z|k|a)?sh\b/.test(text)

function followMake(words: readonly string[], places: Places, following: Following, depth: number): void {
  const makefiles = optionFiles(words)
  for (const place of places) {
    const file = DEFAULT_MAKEFILES.find(name => following.contentOf(under(place, name)) !== undefined)
    for (const name of makefiles.length > 0 ? makefiles : [file ?? ''])
      for (const spelling of spellingsOf(name)) followMakefile(under(place, spelling), places, following, depth)
  }
}

const DEFAULT_MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']

function followMakefile(path: string, places: Places, following: Following, depth: number): void {
  const text = following.contentOf(path)
  if (text === undefined || following.texts.has(path) || depth > MAX_DEPTH) return
  following.texts.set(path, text)
  const { lines, includes, isOpen } = readMakefile(text)
  if (isOpen) following.isOpen = true
  for (const includedFile of includes)
    for (const place of places) followMakefile(under(place, includedFile), places, following, depth + 1)
  for (const line of lines) followLine(line, places, following, depth + 1)
}

function followPackage(words: readonly string[], places: Places, following: Following, depth: number) {
  for (const place of places)
    for (const { label, text, directory } of packageScripts(words, place, following.contentOf)) {
      if (following.texts.has(label)) continue
      following.texts.set(label, text)
      followLine(text, [directory], following, depth + 1)
    }
}

const FILE_OPTIONS =
  /^(?:-f|-r|-c|--(?:file|config|config-file|require|import|loader|rcfile|init-file|env-file|makefile|makefiles|script|project|experimental-loader))$/

/** Returns the values of options that name a file to run, such as `-f x`, `--config=x`. */
function optionFiles(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const [, name = word, value = words[at + 1]] = /^(--[\w-]+)=(.*)$/.exec(word) ?? /^(-[fr])(.+)$/.exec(word) ?? []
    return FILE_OPTIONS.test(name) && value !== undefined ? [value] : []
  })
}

/**
 * Adds the files that an interpreter runs, and reports whether these are known. A file after an option may be the
 * option's value (`bash -o pipefail s.sh`), so the next one counts too.
 */
function operandFiles(
  kind: 'source' | 'shell' | 'other',
  words: readonly string[],
  add: (path: string) => boolean,
): boolean {
  if (kind === 'other' && words.length > 0 && words.every(word => /^(--version|-[vV]|--help|-h)$/.test(word)))
    return true
  let isFound = false
  for (const [at, word] of words.entries()) {
    if (word.startsWith('-') && word !== '-') continue
    const option = at > 0 && words[at - 1]?.startsWith('-') ? words[at - 1] : undefined
    const forms = kind !== 'other' ? [word] : option === '-m' ? moduleForms(word) : fileForms(word)
    const isThere = forms.map(add).includes(true)
    isFound ||= isThere
    if (isThere && (option === undefined || option === '-m')) return true
  }
  return isFound || (kind === 'shell' && words.some(word => /^-[a-z]*c[a-z]*$/i.test(word)))
}

/** A module or a directory that is given without its ending or its entry; `unittest a.b` has dots for slashes. */
const fileForms = (word: string): readonly string[] => [
  word,
  ...['.js', '.cjs', '.mjs', '.ts', '/index.js', '/index.cjs', '/__main__.py', '/package.json'].map(end => word + end),
  `${word.replaceAll('.', '/')}.py`,
]

/** `-m a.b` of Python. */
function moduleForms(word: string): readonly string[] {
  const path = word.replaceAll('.', '/')
  return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`]
}
