import { posix } from 'node:path'
import type { ImportGraph } from './import-graph.ts'
import type { EditQuestion } from './types.ts'

/** The server that a settings file configures; undefined if there is none. */
export function configuredServer(path: string): string | undefined {
  if (/(?:^|\/)node_modules\//.test(path)) return undefined
  if (PYTHON.test(path)) return 'pyright'
  if (COMPILED.test(path)) return 'clangd'
  return path.endsWith('.json') ? 'typescript' : undefined
}

/**
 * Changed files that a server reads from disk only, whatever is staged, and that affect other files: its settings, and
 * imported data.
 */
export function diskOnlySettings(
  { before, after, changed }: EditQuestion,
  server: string,
  graph: ImportGraph,
): readonly string[] {
  return changed.filter(path => {
    if (configuredServer(path) !== server) return false
    const [old, now] = [before[path] ?? '', after[path] ?? '']
    if (SETTINGS.test(path) || COMPILED.test(path)) return graph.hasFiles()
    if (path.endsWith('pyproject.toml')) return graph.hasFiles() && [old, now].some(text => text.includes('pyright'))
    return (isManifest(path) && resolving(old) !== resolving(now)) || graph.names(posix.basename(path))
  })
}

const PYTHON = /(?:^|\/)(?:pyproject\.toml|pyrightconfig\.json)$/
/** Build and analysis settings of C and C++ files. */
const COMPILED = /(?:^|\/)(?:compile_commands\.json|compile_flags\.txt|\.clangd|\.clang-tidy)$/
const SETTINGS = /(?:^|\/)(?:[tj]sconfig[^/]*|pyrightconfig)\.json$/
const isManifest = (path: string): boolean => posix.basename(path) === 'package.json'

/** Fields of a package that affect module resolution; its dependencies have no effect before they are installed. */
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
