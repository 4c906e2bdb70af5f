import { posix } from 'node:path'
import { LANGUAGES } from '../../../languages/registry.ts'
import type { ImportGraph } from './import-graph.ts'
import type { EditQuestion } from './types.ts'

const SERVERS = LANGUAGES.flatMap(({ server }) => server ?? [])

/** The server that a settings file configures; undefined if there is none. */
export function configuredServer(path: string): string | undefined {
  if (/(?:^|\/)node_modules\//.test(path)) return undefined
  const configured = SERVERS.filter(({ configuredBy }) => configuredBy?.test(path))
  // The one that means the file most of all.
  return (configured.find(({ reads }) => reads?.(path, '')) ?? configured.at(-1))?.name
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
    const { reads } = SERVERS.find(({ name }) => name === server) ?? {}
    if ([old, now].some(text => reads?.(path, text))) return graph.hasFiles()
    return (isManifest(path) && resolving(old) !== resolving(now)) || graph.names(posix.basename(path))
  })
}

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
