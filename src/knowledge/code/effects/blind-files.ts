import { includedFiles } from './included-files.ts'
import { familyOf } from './module-facts.ts'
import type { Overlay } from './types.ts'
import type { World } from './world.ts'

/** Files about which a server would be wrong as long as a change is only staged, each with the reason. */
export type BlindFiles = ReadonlyMap<string, string>

const DIRECTORY = 'No language server finds imports from a directory that is only staged: land a file in it first'

/**
 * A server finds no import that leads into a directory which is only staged, and no include fails for it because of a file
 * that is only staged to be gone: neither those who import so nor those who import them can be judged.
 */
export function blindFiles(world: World, overlay: Overlay, isDirectory: (path: string) => boolean): BlindFiles {
  const blind = new Map<string, string>()
  const made = Object.entries(overlay).flatMap(([path, text]) => {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    return text === null || folder === '' || isDirectory(folder) ? [] : [path]
  })
  spread(made, DIRECTORY)
  const gone = Object.entries(overlay).flatMap(([path, text]) =>
    text === null && familyOf(path) === 'c' ? [path] : [],
  )
  if (gone.length === 0) return blind
  const lost = includedFiles(gone)
  for (const [path, { facts }] of world.files) {
    const [missing] = familyOf(path) === 'c' ? facts.requests.flatMap(request => lost(request)) : []
    if (missing === undefined || blind.has(path)) continue
    const why = `No language server sees that ${missing} is not there before the change has landed`
    blind.set(path, why)
    spread([path], why)
  }
  return blind

  function spread(from: readonly string[], why: string): void {
    const open = [...from]
    for (let path = open.pop(); path !== undefined; path = open.pop())
      for (const importer of world.importersOf(path)) {
        if (blind.has(importer)) continue
        blind.set(importer, why)
        open.push(importer)
      }
  }
}
