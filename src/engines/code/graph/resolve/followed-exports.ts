import type { Meaning, Meanings } from './meaning.ts'
import type { Project, ProjectFile } from './project.ts'

const NONE: readonly Meaning[] = []

/** What modules give to others, through as many files as it goes. */
export function followedExports(
  project: Project,
  moduleOf: (from: string, specifier: string) => string | undefined,
  meanings: Meanings,
) {
  const exportsKnown = new Map<string, readonly Meaning[]>()
  const exportsBusy = new Set<string>()
  return { imported, exported }

  function imported(target: ProjectFile, name: string): readonly Meaning[] {
    if (name === '*') return [{ kind: 'module', file: target }]
    if (name === '=') {
      const whole = exported(target, '=')
      const { exports, stars } = target.code
      // What it hands out beside that is found by the module.
      const isMore = whole.length === 0 || stars.length > 0 || exports.some(each => each.name !== '=')
      return isMore ? [...whole, { kind: 'module', file: target }] : whole
    }
    const found = exported(target, name)
    if (found.length > 0) return found
    const whole = exported(target, '=')
    return name === 'default' ? whole : whole.flatMap(each => meanings.member(each, name))
  }

  function exported(target: ProjectFile, name: string): readonly Meaning[] {
    const key = `${target.path}\0${name}`
    const before = exportsKnown.get(key)
    if (before) return before
    if (exportsBusy.has(key)) return NONE
    exportsBusy.add(key)
    const own = target.code.exports.filter(each => each.name === name).flatMap(each => meanings.of(each.value, target))
    const isOwn = own.length > 0 || name === 'default' || name === '='
    const found = isOwn ? own : fromStars(target, name)
    exportsBusy.delete(key)
    if (found.length > 0 || exportsBusy.size === 0) exportsKnown.set(key, found)
    return found
  }

  function fromStars(target: ProjectFile, name: string): readonly Meaning[] {
    for (const star of target.code.stars) {
      const path = moduleOf(target.path, star)
      const file = path === undefined ? undefined : project.files.get(path)
      const found = file ? imported(file, name) : NONE
      if (found.length > 0) return found
    }
    return NONE
  }
}
