import { posix } from 'node:path'
import type { Tree } from '../../tree/tree.ts'
import { jsonData } from '../../../languages/javascript/modules/json-text.ts'
import { circularProject } from './server-error.ts'

type Read = (path: string) => string | undefined

const isProjectFile = (path: string): boolean => /(?:^|\/)[jt]sconfig[^/]*\.json$/.test(path)

/**
 * Throws, naming the file, if a project's configuration would keep a server from ever answering. Checks each state of
 * the tree once.
 */
export function ensureSoundProjects(): (tree: Tree, read: (path: string) => string | undefined) => void {
  const sound = new WeakMap<object, number>()
  return (tree, read) => {
    const files = tree.files()
    if (sound.get(files) === tree.version()) return
    const circle = circularConfig([...files.keys()].filter(isProjectFile), read)
    if (circle) throw circularProject(circle)
    sound.set(files, tree.version())
  }
}

/** More than anyone chains; a chain is followed once for all that join it. */
const MOST_STEPS = 10_000

/**
 * The files of a `tsconfig.json` that extends itself: each extends the next, and the last the first. Undefined if none
 * does.
 */
export function circularConfig(configs: Iterable<string>, read: Read): readonly string[] | undefined {
  const finishedPaths = new Set<string>()
  let steps = 0
  for (const start of configs) {
    // Depth first, without recursion: `way` is the chain from the start to here.
    const way: { readonly path: string; readonly next: string[] }[] = []
    const enter = (path: string) => way.push({ path, next: finishedPaths.has(path) ? [] : [...extendedBy(path, read)] })
    enter(start)
    for (let here = way.at(-1); here && steps < MOST_STEPS; here = way.at(-1)) {
      steps++
      const next = here.next.shift()
      if (next === undefined) {
        finishedPaths.add(here.path)
        way.pop()
        continue
      }
      const at = way.findIndex(({ path }) => path === next)
      if (at >= 0) return way.slice(at).map(({ path }) => path)
      enter(next)
    }
  }
  return undefined
}

/** The files that a configuration extends, as the compiler finds them. */
function extendedBy(path: string, read: Read): readonly string[] {
  const { extends: baseConfigs } = jsonData(read(path) ?? '') ?? {}
  const specifiers = (Array.isArray(baseConfigs) ? baseConfigs : [baseConfigs]).filter(one => typeof one === 'string')
  return specifiers.flatMap(specifier => candidates(path, specifier).find(each => read(each) !== undefined) ?? [])
}

function candidates(path: string, specifier: string): readonly string[] {
  const folder = posix.dirname(path)
  const withJson = (at: string) => [at, `${at}.json`]
  if (/^\.\.?(?:\/|$)/.test(specifier)) return withJson(posix.join(folder, specifier))
  if (specifier.startsWith('/')) return []
  const configPaths: string[] = []
  for (let at = folder; ; at = posix.dirname(at)) {
    const packagePath = posix.join(at, 'node_modules', specifier)
    configPaths.push(...withJson(packagePath), posix.join(packagePath, 'tsconfig.json'))
    if (at === '.' || at === '') return configPaths
  }
}
