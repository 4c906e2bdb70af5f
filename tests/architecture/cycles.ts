import type { Module } from './module.ts'

/** Files that import each other in a ring, each ring once; types count, because what is known is what can be depended on. */
export const cycles = (modules: readonly Module[]): readonly string[] => {
  const files = new Set(modules.map(({ file }) => file))
  const next = new Map(
    modules.map(({ file, imports }) => [
      file,
      imports.filter(({ target }) => files.has(target)).map(({ target }) => target),
    ]),
  )
  const done = new Set<string>()
  const found: string[] = []

  const visit = (file: string, path: readonly string[]): void => {
    const before = path.indexOf(file)
    if (before >= 0) {
      found.push(`import cycle: ${[...path.slice(before), file].join(' → ')}`)
      return
    }
    if (done.has(file)) return
    for (const target of next.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }

  for (const file of files) visit(file, [])
  return found
}
