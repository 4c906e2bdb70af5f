import { once } from '../../kernel/once.ts'
import { COMPUTED } from '../import-facts.ts'

/**
 * Returns the workspace files that an include of C or C++ may refer to: every file whose path ends with the include,
 * because only the build knows the include path.
 */
export function includedFiles(files: Iterable<string>): (request: string) => readonly string[] {
  const all = [...files]
  const byName = Map.groupBy(all, path => path.slice(path.lastIndexOf('/') + 1))
  return request => {
    if (request === COMPUTED) return all
    const steps = request.split('/').filter(step => step !== '' && step !== '.')
    const pathEnd = steps.slice(steps.lastIndexOf('..') + 1).join('/')
    const candidates = byName.get(steps.at(-1) ?? '') ?? []
    return candidates.filter(path => path === pathEnd || path.endsWith(`/${pathEnd}`))
  }
}

/** Finds the files that an include may refer to; the names are sorted on first use. */
export function includedBy(files: ReadonlySet<string>): (from: string, request: string) => readonly string[] {
  const find = once(() => includedFiles(files))
  return (_from, request) => find()(request)
}
