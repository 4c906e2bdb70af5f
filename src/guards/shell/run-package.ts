import { join } from 'node:path/posix'

/** A script of a `package.json`, by the name that a person knows it by. */
interface PackageScript {
  readonly label: string
  readonly text: string
  /** The directory that it runs in. */
  readonly directory: string
}

const PACKAGE_MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun'])

export const runsPackageScripts = (name: string): boolean => PACKAGE_MANAGERS.has(name)

const RUNS: ReadonlySet<string> = new Set(['run', 'run-script', 'rum', 'urn'])
const INSTALLS: ReadonlySet<string> = new Set(['install', 'i', 'ci', 'add', 'in', 'rebuild'])
const ALIASES: Readonly<Record<string, string>> = { t: 'test', tst: 'test' }

/** Returns the scripts that a package manager runs with these arguments in a directory. */
export function packageScripts(
  words: readonly string[],
  start: string,
  contentOf: (path: string) => string | undefined,
): readonly PackageScript[] {
  const outer = join(start, valueOf(words, '--prefix', '-C', '--dir', '--cwd') ?? '.')
  const member = valueOf(words, '-w', '--workspace', '-F', '--filter')
  return [outer, ...(member === undefined ? [] : [join(outer, member)])].flatMap(directory =>
    scriptsOf(words, directory, contentOf),
  )
}

function scriptsOf(words: readonly string[], cwd: string, contentOf: (path: string) => string | undefined) {
  const { path, scripts } = packageAbove(cwd, contentOf)
  const operands = words.filter(word => !word.startsWith('-'))
  const at = operands.findIndex(
    word => RUNS.has(word) || INSTALLS.has(word) || word === 'start' || Object.hasOwn(scripts, ALIASES[word] ?? word),
  )
  const verb = operands[at] ?? ''
  const script = RUNS.has(verb) ? (operands[at + 1] ?? '') : (ALIASES[verb] ?? verb)
  const names = INSTALLS.has(verb) ? ['install', 'prepare'] : [script]
  const startScripts = script === 'start' ? { start: 'node server.js', ...scripts } : scripts
  return names
    .flatMap(one => [`pre${one}`, one, `post${one}`])
    .flatMap(each => {
      const text = Object.hasOwn(startScripts, each) ? Object(startScripts)[each] : undefined
      return typeof text === 'string' ? [{ label: `${path} (${each})`, text, directory: join(path, '..') }] : []
    })
}

/** Returns the value of the first of these options, in the next word or joined to a long one. */
export function valueOf(words: readonly string[], ...names: readonly string[]): string | undefined {
  const at = words.findIndex(word => names.includes(word))
  const joinedOption = words.find(word => names.some(name => name.startsWith('--') && word.startsWith(`${name}=`)))
  return at < 0 ? joinedOption?.slice(joinedOption.indexOf('=') + 1) : words[at + 1]
}

/** Returns the scripts of the nearest `package.json`. */
function packageAbove(
  cwd: string,
  contentOf: (path: string) => string | undefined,
): { path: string; scripts: Readonly<Record<string, unknown>> } {
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
