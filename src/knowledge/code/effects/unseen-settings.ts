import { posix } from 'node:path'
import type { ImportGraph } from './import-graph.ts'
import type { EditQuestion } from './types.ts'

/** The server that a file besides its own says something to; undefined if there is none. */
export function settledServer(path: string): string | undefined {
  if (/(?:^|\/)node_modules\//.test(path)) return undefined
  if (PYTHON.test(path)) return 'pyright'
  if (COMPILED.test(path)) return 'clangd'
  return path.endsWith('.json') ? 'typescript' : undefined
}

/**
 * The changed files that a server reads from disk only, whatever is staged, and that decide what it says of others: its
 * settings, and data that is imported.
 */
export function unseenSettings(
  { before, after, changed }: EditQuestion,
  server: string,
  graph: ImportGraph,
): readonly string[] {
  return changed.filter(path => {
    if (settledServer(path) !== server) return false
    const [old, now] = [before[path] ?? '', after[path] ?? '']
    if (SETTINGS.test(path) || COMPILED.test(path)) return graph.hasFiles()
    if (path.endsWith('pyproject.toml')) return graph.hasFiles() && [old, now].some(text => text.includes('pyright'))
    return (isManifest(path) && resolving(old) !== resolving(now)) || graph.names(posix.basename(path))
  })
}

const PYTHON = /(?:^|\/)(?:pyproject\.toml|pyrightconfig\.json)$/
/** How files of C and C++ are compiled and looked at. */
const COMPILED = /(?:^|\/)(?:compile_commands\.json|compile_flags\.txt|\.clangd|\.clang-tidy)$/
const SETTINGS = /(?:^|\/)(?:[tj]sconfig[^/]*|pyrightconfig)\.json$/
const isManifest = (path: string): boolean => posix.basename(path) === 'package.json'

/** What of a package says how modules are found; what it depends on says nothing before it is installed. */
const RESOLVING = ['name', 'type', 'main', 'types', 'typings', 'typesVersions', 'imports', 'exports', 'workspaces']

function resolving(text: string): string {
  if (text === '') return ''
  try {
    const manifest: object = Object(JSON.parse(text))
    return JSON.stringify(RESOLVING.map(key => Reflect.get(manifest, key) ?? null))
  } catch {
    return text
  }
}
