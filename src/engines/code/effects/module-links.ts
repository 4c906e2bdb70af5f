import { moduleFinder } from '../graph/resolve/modules.ts'
import type { ConfigFile } from '../graph/resolve/packages-in.ts'
import { familyOf } from './module-facts.ts'
import { pythonModules } from './python-modules.ts'

/** The files of the workspace that a request of a file means. */
export type Links = (from: string, request: string) => readonly string[]

export function moduleLinks(has: (path: string) => boolean, configs: readonly ConfigFile[]): Links {
  const script = moduleFinder(has, configs)
  const python = pythonModules(has)
  return (from, request) => {
    if (familyOf(from) === 'python') return python(from, request)
    const found = script(from, request)
    return found === undefined ? [] : [found]
  }
}
