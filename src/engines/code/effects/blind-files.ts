import type { Overlay } from './types.ts'
import type { World } from './world.ts'

/**
 * Files about which a server would be wrong: it finds no import that leads into a directory which is only staged,
 * so that neither those who import from there nor those who import them can be judged before it has landed.
 */
export function blindFiles(
  world: World,
  overlay: Overlay,
  isDirectory: (path: string) => boolean,
): ReadonlySet<string> {
  const blind = new Set<string>()
  const open = Object.entries(overlay).flatMap(([path, text]) => {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    return text === null || folder === '' || isDirectory(folder) ? [] : [path]
  })
  for (let path = open.pop(); path !== undefined; path = open.pop())
    for (const importer of world.importersOf(path)) {
      if (blind.has(importer)) continue
      blind.add(importer)
      open.push(importer)
    }
  return blind
}
