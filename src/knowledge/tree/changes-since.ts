import type { Stats } from 'node:fs'
import type { Root } from '../../machine/workspace/root.ts'
import { diskPath, decodePath } from './disk-path.ts'
import { whereIs } from './held-folder.ts'
import { outsideRules } from './ignore/outside-rules.ts'
import type { UserPlaces } from './ignore/user-places.ts'
import { listAgain } from './list-again.ts'
import { lstat, stampOf } from './stamp.ts'
import type { TreeFile } from './tree.ts'
import { hasSameRules, isSameFile, isSameFolder, type FolderImage, type TreeImage } from './tree-image.ts'

/** What is not as in an image of the tree. */
interface ImageChanges {
  /** For each file of the image: 1 if it has changed or is no longer listed. */
  readonly stale: Uint8Array
  /** Files that changed or were added, as they are now. */
  readonly put: readonly TreeFile[]
}

interface Looking {
  readonly root: Pick<Root, 'fd'>
  readonly user: UserPlaces
  /** Gives up beyond this many changed files or directories. */
  readonly most: number
}

/**
 * Looks once at every directory, ignore file and file of an image, and lists the directories that changed. Returns
 * undefined if too much changed, or if other rules may apply.
 */
export function changesSince(image: TreeImage, { root, user, most }: Looking): ImageChanges | undefined {
  const place = whereIs(root.fd)
  const outside = outsideRules(user)
  if (outside.stamp(place) !== image.outside) return undefined
  const again: FolderImage[] = []
  for (const folder of image.folders) {
    if (!isSameFolder(folder, place)) again.push(folder)
    else if (!hasSameRules(folder, root)) return undefined
    if (again.length > most) return undefined
  }
  const fileChanges = changedFiles(image, place, most)
  if (!fileChanges) return undefined
  const { stale, put } = fileChanges
  if (again.length > 0) {
    const folderChanges = listAgain(image, again, { root, place, rules: () => outside.read(place), most })
    if (!folderChanges) return undefined
    for (const which of folderChanges.gone) {
      stale[which] = 1
      // It may have changed before it was no longer listed, or a link may lead to another of its name.
      put.delete(decodePath(image.files[which] as string))
    }
    for (const file of folderChanges.put) put.set(file.path, file)
  }
  return whereIs(root.fd) === place ? { stale, put: [...put.values()] } : undefined
}

function changedFiles({ files, looks }: TreeImage, place: string, most: number) {
  const stale = new Uint8Array(files.length)
  const put = new Map<string, TreeFile>()
  let count = 0
  for (let which = 0; which < files.length; which++) {
    const bytes = files[which] as string
    const stats = lstat(diskPath(`${place}/${bytes}`))
    if (isSameFile(stats, looks, which)) continue
    if (++count > most) return undefined
    stale[which] = 1
    if (stats?.isFile()) put.set(decodePath(bytes), fileAt(decodePath(bytes), stats))
  }
  return { stale, put }
}

const fileAt = (path: string, stats: Stats): TreeFile => ({
  path,
  size: stats.size,
  mtimeMs: stats.mtimeMs,
  stamp: stampOf(stats),
})
