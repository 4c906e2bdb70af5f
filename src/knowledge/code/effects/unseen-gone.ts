import { isRelative } from '../../index/modules/candidates.ts'
import { moduleFinder } from '../resolve/modules.ts'
import type { BlindFiles } from './blind-files.ts'
import { familyOf } from './module-facts.ts'
import { pythonModules } from './python-modules.ts'
import type { World } from './world.ts'

export interface GoneParts {
  /** The files as they were when the ones that are gone were there. */
  readonly whole: World
  readonly without: World
  /** Those that are gone, and still on disk. */
  readonly gone: readonly string[]
}

/**
 * Files that ask for one which is only staged to be gone, and take nothing out of it: a server is shown an empty file in its
 * place, which is good enough for that.
 */
export function unseenGone({ whole, without, gone }: GoneParts): BlindFiles {
  const blind = new Map<string, string>()
  const isGone = new Set(gone)
  const has = (path: string) => without.files.has(path) || isGone.has(path)
  const script = moduleFinder(has, [])
  const python = pythonModules(has)
  for (const path of gone)
    for (const from of whole.importersOf(path)) {
      const { wholes = [] } = without.files.get(from)?.facts ?? {}
      if (wholes.some(request => isMeant(from, request, path)))
        blind.set(
          from,
          `No language server sees that ${path}, which ${from} asks for as a whole, is not there before the change has landed`,
        )
    }
  return blind

  function isMeant(from: string, request: string, path: string): boolean {
    if (familyOf(from) === 'python') return python(from, request).includes(path)
    if (isRelative(request)) return script(from, request) === path
    return stemOf(request) === stemOf(path)
  }
}

const stemOf = (path: string): string | undefined =>
  path
    .replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '')
    .replace(/\/index$/, '')
    .split('/')
    .at(-1)
