import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { RecentMap } from '../../../kernel/recent-map.ts'

/** Converts between workspace paths and the URIs of a server. */
export interface ServerUris {
  uriOf(path: string): string
  /** Undefined outside of the workspace. */
  pathOf(uri: string): string | undefined
}

export function serverUris(root: string): ServerUris {
  const pathByUri = new RecentMap<string, string | undefined>(MOST)
  const find = (uri: string): string | undefined => {
    if (!uri.startsWith('file:')) return undefined
    try {
      const inside = relative(root, fileURLToPath(uri))
      if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || inside.startsWith(sep)) return undefined
      return sep === '/' ? inside : inside.replaceAll(sep, '/')
    } catch {
      return undefined
    }
  }
  return {
    uriOf: path => pathToFileURL(join(root, path)).href,
    pathOf(uri) {
      if (!pathByUri.has(uri)) pathByUri.set(uri, find(uri))
      return pathByUri.get(uri)
    },
  }
}

const MOST = 50_000
