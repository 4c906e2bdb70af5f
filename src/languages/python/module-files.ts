import { oncePer } from '../../kernel/once.ts'

/** Returns the workspace files of an import: the module and the packages around it. */
export function moduleFiles(has: (path: string) => boolean): (from: string, request: string) => readonly string[] {
  const inFolder = oncePer((folder: string) => {
    const names = folder.split('/').filter(Boolean)
    return oncePer((request: string) => find(names, request))
  })
  return (from, request) => inFolder(from.slice(0, Math.max(0, from.lastIndexOf('/'))))(request)

  function find(folder: readonly string[], request: string): readonly string[] {
    const dots = /^\.*/.exec(request)?.[0].length ?? 0
    const names = request.slice(dots).split('.').filter(Boolean)
    if (dots > 0) return below(folder.slice(0, folder.length - dots + 1), names)
    for (let up = folder.length; up >= 0; up--) {
      const modules = below(folder.slice(0, up), names)
      if (modules.length > 0) return modules
    }
    return below(['src'], names)
  }

  function below(folder: readonly string[], names: readonly string[]): readonly string[] {
    const packageFiles: string[] = []
    for (let length = names.length === 0 ? 0 : 1; length <= names.length; length++) {
      const path = [...folder, ...names.slice(0, length)].join('/')
      const stem = path === '' ? '' : `${path}/`
      for (const each of [`${path}.py`, `${path}.pyi`, `${stem}__init__.py`, `${stem}__init__.pyi`])
        if (has(each)) packageFiles.push(each)
    }
    return packageFiles
  }
}
