import type { CodeFault } from '../../../kernel/edit-effects.ts'
import type { ProjectSnapshot } from './project-snapshot.ts'
import { pythonModules } from './python-modules.ts'

interface Sides {
  readonly before: ProjectSnapshot
  readonly after: ProjectSnapshot
}

/** Reports whether a file imports another before a change, but not after it, because that one is gone. */
export const losesImport = (path: string, { before, after }: Sides): boolean =>
  before.files.get(path)?.imports.some(target => !after.files.has(target)) ?? false

/** Pyright names the module as it is written. */
const NOT_FOUND = /^Import "([^"]+)" could not be resolved/

/**
 * Returns those errors of a file after a change that it did not have before, though no server can say what it had: the
 * modules that they miss were there.
 */
export function lostImports(
  after: readonly CodeFault[],
  path: string,
  { before, after: now }: Sides,
): readonly CodeFault[] {
  const modules = pythonModules(file => before.files.has(file))
  return after.filter(({ message }) => {
    const module = NOT_FOUND.exec(message)?.[1]
    return module !== undefined && modules(path, module).some(file => !now.files.has(file))
  })
}
