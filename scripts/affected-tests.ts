import { posix } from 'node:path'
import { OWN_PROGRAMS } from '../src/machine/own-program.ts'
import { readModule, type Module } from '../tests/architecture/module.ts'

/** Files of the repository: path from its root → text. The text of a file that is not source does not matter. */
export type Files = ReadonlyMap<string, string>

/**
 * The test files that a change can affect. A file depends on what it imports and on every file or folder that one of its
 * strings names, because tests read data and start our programs by path. When in doubt, a test is affected.
 */
export function affectedTests(files: Files, changed: readonly string[]): readonly string[] {
  const tests = [...files.keys()].filter(isTest).toSorted()
  const dependencies = dependenciesOf(files, changed)
  const everywhere = reachable(['vitest.config.ts'], file => (onlyStarts(file) ? [] : (dependencies.get(file) ?? [])))
  if (changed.some(file => everywhere.has(file) || concernsEveryTest(file))) return tests

  const dependents = reversed(dependencies)
  const affected = reachable(changed, file =>
    // Nothing depends on the result of a test, only on its text.
    isTest(file) && !changed.includes(file) ? [] : partsOf(file).flatMap(name => dependents.get(name) ?? []),
  )
  return tests.filter(test => affected.has(test))
}

/** Names the programs that a test starts, from the build only. */
const onlyStarts = (file: string): boolean =>
  ['tests/built-programs.ts', 'tests/measured/start-built.ts'].includes(file) || file.startsWith('scripts/')

const isTest = (file: string): boolean => file.endsWith('.test.ts')
const isSource = (file: string): boolean => /\.(ts|mjs)$/.test(file) && !file.startsWith('tests/data/')

/** Versions, the test setup, and files of unknown purpose. */
const concernsEveryTest = (file: string): boolean =>
  /^(package\.json|package-lock\.json|\.npmrc|tsconfig.*\.json)$/.test(file) ||
  (file.includes('/') && !/^(src|tests|docs|examples|bench)\//.test(file))

/** File → files and folders that it depends on; the name of a folder ends in a slash. */
function dependenciesOf(files: Files, changed: readonly string[]): ReadonlyMap<string, readonly string[]> {
  // A file that names a deleted file depends on it too.
  const known = new Set([...files.keys(), ...changed].flatMap(file => [file, ...foldersOf(file)]))
  return new Map(
    modulesOf(files).map(module => [
      module.file,
      [...imported(module), ...startedPrograms(module), ...built(module), ...named(module, known)],
    ]),
  )
}

const parsed = new WeakMap<Files, readonly Module[]>()

/** Parsing is most of the work. */
function modulesOf(files: Files): readonly Module[] {
  const modules = parsed.get(files) ?? [...files].filter(([file]) => isSource(file)).map(entry => readModule(...entry))
  parsed.set(files, modules)
  return modules
}

/** Our own package by its name is the build. */
const imported = ({ imports }: Module): readonly string[] =>
  imports.map(({ target }) => (/^toolwright(\/|$)/.test(target) ? BUILD : target))

const PROGRAM_LIST = 'src/machine/own-program.ts'

/** Our programs that a file starts: those that it names, or all if it names none. */
function startedPrograms({ imports, code }: Module): readonly string[] {
  if (!imports.some(({ target }) => target === PROGRAM_LIST)) return []
  const programs = Object.entries(OWN_PROGRAMS).map(([name, place]) => ({ name, place: `src/${place}` }))
  const started = programs.filter(({ name }) => code.includes(`'${name}'`))
  return (started.length > 0 ? started : programs).map(({ place }) => place)
}

/** The built program depends on all sources. */
const BUILD = 'dist/'
const built = (module: Module): readonly string[] =>
  knowsItsPlace(module) && /['"`]dist\b|\bbin\./.test(module.code) ? [BUILD] : []

/** Everything that changes with a file: itself, the folders around it, and the build. */
const partsOf = (file: string): readonly string[] => [
  file,
  ...foldersOf(file),
  ...(file.startsWith('src/') && !isTest(file) ? [BUILD] : []),
]

/** Files and folders named by a file's strings, relative to its folder or to one above it. */
function named(module: Module, known: ReadonlySet<string>): readonly string[] {
  const { file, code } = module
  if (file === PROGRAM_LIST) return []
  const places = knowsItsPlace(module) ? [`${posix.dirname(file)}/`, ...foldersOf(file), ''] : []
  const words = [...code.matchAll(/(?<=['"`}])[\w.@*/-]+/g)].map(([word]) => word.replace(/\*.*$/, ''))
  const paths = words.flatMap(word =>
    /^\.\.?(\/|$)/.test(word) ? [posix.join(posix.dirname(file), word)] : places.map(place => posix.join(place, word)),
  )
  const own = /(?<!dirname\()\bimport\.meta\.dirname\b(?!\s*,)/.test(code) ? [`${posix.dirname(file)}/`] : []
  const above = new Set(foldersOf(file))
  const found = paths.map(path => path.replace(/\/$/, '')).flatMap(path => [path, `${path}/`])
  return [...own, ...new Set(found.filter(path => known.has(path) && !above.has(path)))]
}

const knowsItsPlace = ({ code, imports }: Module): boolean =>
  /\bimport\.meta\b/.test(code) || imports.some(({ target }) => target === 'scripts/root.mjs')

/** The folders around a file, each with a slash at its end. */
const foldersOf = (file: string): readonly string[] =>
  [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index + 1))

function reversed(edges: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const back = new Map<string, string[]>()
  for (const [from, targets] of edges)
    for (const target of targets) {
      const sources = back.get(target)
      if (sources) sources.push(from)
      else back.set(target, [from])
    }
  return back
}

function reachable(start: readonly string[], next: (name: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set(start)
  for (const name of seen) for (const other of next(name)) seen.add(other)
  return seen
}
