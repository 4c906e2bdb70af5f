import { moduleFinder, type ConfigFile } from '../graph/resolve/modules.ts'
import { once } from '../../../kernel/once.ts'
import { includedFiles } from './included-files.ts'
import { familyOf } from './module-facts.ts'
import { pythonModules } from './python-modules.ts'

/** The files of the workspace that a request of a file means. */
export type Links = (from: string, request: string) => readonly string[]

export function moduleLinks(files: ReadonlyMap<string, unknown>, configs: readonly ConfigFile[]): Links {
  const has = (path: string) => files.has(path)
  const script = moduleFinder(has, configs)
  const python = pythonModules(has)
  const included = once(() => includedFiles(files.keys()))
  return (from, request) => {
    if (familyOf(from) === 'c') return included()(request)
    if (familyOf(from) === 'python') return python(from, request)
    const found = script(from, request)
    return found === undefined ? [] : [found]
  }
}
