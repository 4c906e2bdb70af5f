import { join } from 'node:path/posix'
import { parseLine } from './parse-line.ts'
import { programName } from './program-name.ts'
import { configFilesOf, isInterpreter, isShell } from './run-files-known.ts'
import { startedCommands } from './started-commands.ts'

/** Returns the content of a file of the workspace; undefined if there is none. */
type ContentOf = (path: string) => string | undefined

interface Following {
  readonly contentOf: ContentOf
  /** What runs, by the name that a person knows it by. */
  readonly texts: Map<string, string>
}

const MOST_TEXTS = 200
const MAX_DEPTH = 6
/** A longer script is compared as a whole, but not read for what it starts. */
const LONGEST_FOLLOWED = 50_000

/**
 * Returns the texts of the workspace that a line is known to run, by name: scripts, what they start, makefiles, the
 * scripts of a `package.json`, and configuration that a program executes. Of a `package.json` only the scripts that run
 * count. What an interpreter other than a shell loads is not followed.
 */
export function runFiles(line: string, cwd: string, contentOf: ContentOf): ReadonlyMap<string, string> {
  const following = { contentOf, texts: new Map<string, string>() }
  followLine(line, cwd, following, 0)
  return following.texts
}

function followLine(line: string, start: string, following: Following, depth: number): void {
  if (depth > MAX_DEPTH || line.length > LONGEST_FOLLOWED) return
  let cwd = start
  for (const argv of startedCommands(parseLine(line)).commands) {
    const words = argv.map(({ text }) => text)
    if (words[0] === 'cd' && words[1] !== undefined) cwd = join(cwd, words[1])
    else followCommand(words, cwd, following, depth)
  }
}

function followCommand([program = '', ...words]: readonly string[], cwd: string, following: Following, depth: number) {
  const name = programName(program)
  const add = (path: string, asShell = isShellScript) => addFile(join(cwd, path), asShell, following, depth)
  if (program.includes('/')) add(program)
  for (const file of optionFiles(words)) add(file)
  if (program === '.' || isShell(name)) firstFile(words, path => add(path, () => true))
  else if (isInterpreter(name)) firstFile(words, path => add(path, () => false))
  else if (name === 'make' || name === 'gmake') followMake(words, cwd, following, depth)
  else if (PACKAGE_MANAGERS.has(name)) followPackage(words, cwd, following, depth)
  for (const file of configFilesOf(name, words)) add(file, () => false)
}

/** Adds a file and reports whether it is there. */
function addFile(path: string, asShell: (text: string) => boolean, following: Following, depth: number): boolean {
  const text = following.contentOf(path)
  if (text === undefined) return false
  if (following.texts.has(path) || following.texts.size >= MOST_TEXTS) return true
  following.texts.set(path, text)
  if (asShell(text)) followLine(text, '.', following, depth + 1)
  return true
}

/** A script with another interpreter is not read as shell. */
const isShellScript = (text: string): boolean => !text.startsWith('#!') || /^#!.*\b(?:ba|da|z|k|a)?sh\b/.test(text)

const firstFile = (words: readonly string[], add: (path: string) => boolean): boolean =>
  words.some(word => !word.startsWith('-') && add(word))

const FILE_OPTIONS =
  /^(?:-f|-r|-c|--(?:file|config|config-file|require|import|loader|rcfile|init-file|env-file|makefile|makefiles|script|project|experimental-loader))$/

/** Returns the values of options that name a file to run, such as `-f x`, `--config=x`. */
function optionFiles(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const [, name = word, value = words[at + 1]] = /^(--[\w-]+)=(.*)$/.exec(word) ?? /^(-[fr])(.+)$/.exec(word) ?? []
    return FILE_OPTIONS.test(name) && value !== undefined ? [value] : []
  })
}

const valueOf = (words: readonly string[], ...names: readonly string[]): string | undefined => {
  const at = words.findIndex(word => names.includes(word))
  const joined = words.find(word => names.some(name => name.startsWith('--') && word.startsWith(`${name}=`)))
  return at < 0 ? joined?.slice(joined.indexOf('=') + 1) : words[at + 1]
}

function followMake(words: readonly string[], start: string, following: Following, depth: number): void {
  const cwd = join(start, valueOf(words, '-C', '--directory') ?? '.')
  const given = valueOf(words, '-f', '--file', '--makefile')
  const file = [...(given === undefined ? [] : [given]), 'GNUmakefile', 'makefile', 'Makefile'].find(
    name => following.contentOf(join(cwd, name)) !== undefined,
  )
  if (file === undefined || following.texts.has(join(cwd, file))) return
  const text = following.contentOf(join(cwd, file)) ?? ''
  following.texts.set(join(cwd, file), text)
  for (const [, included = ''] of text.matchAll(/^[-s]?include\s+(.+)$/gm))
    for (const path of included.trim().split(/\s+/)) addFile(join(cwd, path), () => false, following, depth)
  for (const [, recipe = ''] of text.matchAll(/^\t[@+-]*(.+)$/gm)) followLine(recipe, cwd, following, depth + 1)
}

const PACKAGE_MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun'])
const RUNS: ReadonlySet<string> = new Set(['run', 'run-script', 'rum', 'urn'])
const INSTALLS: ReadonlySet<string> = new Set(['install', 'i', 'ci', 'add', 'in', 'rebuild'])
const ALIASES: Readonly<Record<string, string>> = { t: 'test', tst: 'test' }

function followPackage(words: readonly string[], start: string, following: Following, depth: number) {
  const cwd = join(start, valueOf(words, '--prefix', '-C', '--dir', '--cwd') ?? '.')
  const { path, scripts } = packageAbove(cwd, following.contentOf)
  const operands = words.filter(word => !word.startsWith('-'))
  const at = operands.findIndex(
    word => RUNS.has(word) || INSTALLS.has(word) || Object.hasOwn(scripts, ALIASES[word] ?? word),
  )
  const verb = operands[at] ?? ''
  const script = RUNS.has(verb) ? (operands[at + 1] ?? '') : (ALIASES[verb] ?? verb)
  const names = INSTALLS.has(verb) ? ['install', 'prepare'] : [script]
  for (const each of names.flatMap(one => [`pre${one}`, one, `post${one}`])) {
    const text = scripts[each]
    const label = `${path} (${each})`
    if (typeof text !== 'string' || following.texts.has(label)) continue
    following.texts.set(label, text)
    followLine(text, join(path, '..'), following, depth + 1)
  }
}

/** Returns the scripts of the nearest `package.json`. */
function packageAbove(cwd: string, contentOf: ContentOf): { path: string; scripts: Readonly<Record<string, unknown>> } {
  for (let directory = cwd; ; directory = join(directory, '..')) {
    const path = join(directory, 'package.json')
    const text = path.startsWith('../') ? undefined : contentOf(path)
    if (text !== undefined) return { path, scripts: scriptsIn(text) }
    if (directory === '.' || directory.startsWith('..') || directory === '/') return { path, scripts: {} }
  }
}

function scriptsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(Object(JSON.parse(text)).scripts)
  } catch {
    return {}
  }
}
