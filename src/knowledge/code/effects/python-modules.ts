/** Says which files of the workspace an import of Python means: the module, and the packages that it lies in. */
export function pythonModules(has: (path: string) => boolean): (from: string, request: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return (from, request) => {
    const folder = from.split('/').slice(0, -1)
    const key = `${folder.join('/')}\0${request}`
    const before = known.get(key)
    if (before) return before
    const found = find(folder, request)
    known.set(key, found)
    return found
  }

  function find(folder: readonly string[], request: string): readonly string[] {
    const dots = /^\.*/.exec(request)?.[0].length ?? 0
    const names = request.slice(dots).split('.').filter(Boolean)
    if (dots > 0) return below(folder.slice(0, folder.length - dots + 1), names)
    for (let up = folder.length; up >= 0; up--) {
      const found = below(folder.slice(0, up), names)
      if (found.length > 0) return found
    }
    return below(['src'], names)
  }

  function below(folder: readonly string[], names: readonly string[]): readonly string[] {
    const found: string[] = []
    for (let length = names.length === 0 ? 0 : 1; length <= names.length; length++) {
      const path = [...folder, ...names.slice(0, length)].join('/')
      const stem = path === '' ? '' : `${path}/`
      for (const each of [`${path}.py`, `${path}.pyi`, `${stem}__init__.py`, `${stem}__init__.pyi`])
        if (has(each)) found.push(each)
    }
    return found
  }
}
