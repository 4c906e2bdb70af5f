import { moduleFinder } from '../resolve/modules.ts'
import type { Project, ProjectFile } from '../resolve/project.ts'

/** Says which file of a project an import of a script means, by its path. */
export function scriptFinder(project: Project): (file: ProjectFile, specifier: string) => ProjectFile | undefined {
  const find = moduleFinder(path => project.files.has(path), [])
  return (file, specifier) => {
    const path = find(file.path, specifier)
    return path === undefined ? undefined : project.files.get(path)
  }
}
