import { languageAt } from '../../../languages/registry.ts'
import type { CodeFault } from '../../../kernel/edit-effects.ts'
import type { ProjectSnapshot } from './project-snapshot.ts'

interface Sides {
  readonly before: ProjectSnapshot
  readonly after: ProjectSnapshot
}

/** Reports whether a file imports another before a change, but not after it, because that one is gone. */
export const losesImport = (path: string, { before, after }: Sides): boolean =>
  before.files.get(path)?.imports.some(target => !after.files.has(target)) ?? false

/**
 * Returns those errors of a file after a change that it did not have before, though no server can say what it had: the
 * modules that they miss were there.
 */
export function lostImports(
  after: readonly CodeFault[],
  path: string,
  { before, after: now }: Sides,
): readonly CodeFault[] {
  const { importedFiles, server } = languageAt(path)
  const find = importedFiles?.(new Set(before.files.keys()))
  return after.filter(({ message }) => {
    const module = server?.unresolved?.exec(message)?.[1]
    return module !== undefined && find?.(path, module).some(file => !now.files.has(file))
  })
}
