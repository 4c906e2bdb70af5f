import type { Tree } from '../../tree/tree.ts'
import { circularConfig } from './circular-config.ts'
import { circularProject } from './server-error.ts'

const isProjectFile = (path: string): boolean => /(?:^|\/)[jt]sconfig[^/]*\.json$/.test(path)

/** Throws, naming its file, where the configuration of a project would keep a server from ever answering; looks once for each state of the tree. */
export function demandSoundProjects(): (tree: Tree, read: (path: string) => string | undefined) => void {
  const sound = new WeakMap<object, number>()
  return (tree, read) => {
    const files = tree.files()
    if (sound.get(files) === tree.version()) return
    const circle = circularConfig([...files.keys()].filter(isProjectFile), read)
    if (circle) throw circularProject(circle)
    sound.set(files, tree.version())
  }
}
