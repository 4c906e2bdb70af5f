import type { Stats } from 'node:fs'
import type { Root } from '../../machine/workspace/root.ts'
import type { KnownFile } from './catalog.ts'
import { diskPath } from './disk-path.ts'
import { foldersOf, type Folder } from './folder.ts'
import { rulesChanged } from './folder-rules.ts'
import { whereIs } from './held-folder.ts'
import { outsideRules } from './ignore/outside-rules.ts'
import type { UserPlaces } from './ignore/user-places.ts'
import { identityOf, lstat, stampOf, UNSURE } from './stamp.ts'

/** State of a tree: one stat of each path tells later whether it is unchanged. Paths are bytes. */
export interface TreeImage {
  /** Path of the root, and the rules from outside it. */
  readonly outside: string
  readonly folders: readonly FolderImage[]
  readonly files: readonly string[]
  /** For each file: inode, size and the two times. */
  readonly looks: Float64Array
}

/** The stamp of a directory whose names could change without notice: no directory has it. */
const NO_STAMP = ''

export interface FolderImage {
  /** Ends with a slash; empty for the root. */
  readonly bytes: string
  readonly identity: string
  readonly stamp: string
  readonly ruleNames: readonly string[]
  readonly rulesStamp: string
}

export const LOOK_FIELDS = 4

/** An unsorted image: files by their paths. */
export interface TakenImage extends Pick<TreeImage, 'outside' | 'folders'> {
  readonly files: ReadonlyMap<string, { readonly bytes: string; readonly file: KnownFile }>
  /**
   * No change right after some look could be missed. Otherwise some files are racy, or some directories have no stamp:
   * only a later look tells about these.
   */
  readonly isSure: boolean
}

/** Takes an image of a tree, without irrelevant files. Returns undefined if its rules might be others by now. */
export function takeImage(top: Folder, outside: string, leaveOut: (path: string) => boolean): TakenImage | undefined {
  if (outside.includes(UNSURE)) return undefined
  const folders: FolderImage[] = []
  const files = new Map<string, { readonly bytes: string; readonly file: KnownFile }>()
  let isSure = true
  for (const { bytes, identity, stamp = NO_STAMP, ruleNames, rulesStamp, files: folderFiles } of foldersOf(top)) {
    if (identity === undefined || rulesStamp.includes(UNSURE)) return undefined
    if (stamp === NO_STAMP) isSure = false
    folders.push({ bytes, identity, stamp, ruleNames: [...ruleNames], rulesStamp })
    for (const [name, file] of folderFiles) {
      if (leaveOut(file.path)) continue
      if (file.racy) isSure = false
      files.set(file.path, { bytes: bytes + name, file })
    }
  }
  return { outside, folders, files, isSure }
}

/** Reports whether every directory, ignore file and file is certainly unchanged. */
export function isAsImaged({ outside, folders, files, looks }: TreeImage, root: Pick<Root, 'fd'>, user: UserPlaces) {
  const place = whereIs(root.fd)
  if (outsideRules(user).stamp(place) !== outside) return false
  return (
    folders.every(folder => isSameFolder(folder, place) && hasSameRules(folder, root)) &&
    files.every((bytes, which) => isSameFile(lstat(diskPath(`${place}/${bytes}`)), looks, which))
  )
}

/** Reports whether these files are certainly unchanged, and all known ignore files. Others are not looked at. */
export function areSameFiles(image: TreeImage, which: readonly number[], root: Pick<Root, 'fd'>, user: UserPlaces) {
  const place = whereIs(root.fd)
  return (
    outsideRules(user).stamp(place) === image.outside &&
    image.folders.every(folder => hasSameRules(folder, root)) &&
    which.every(at => isSameFile(lstat(diskPath(`${place}/${image.files[at]}`)), image.looks, at))
  )
}

/** Reports whether it is the same directory and no name was added or removed. */
export function isSameFolder({ bytes, identity, stamp }: FolderImage, place: string): boolean {
  const stats = lstat(diskPath(`${place}/${bytes}.`))
  return stats !== undefined && identity === identityOf(stats) && stamp === stampOf(stats)
}

export const hasSameRules = ({ bytes, ruleNames, rulesStamp }: FolderImage, root: Pick<Root, 'fd'>): boolean =>
  ruleNames.length === 0 || !rulesChanged({ rootFd: root.fd }, { bytes, rulesStamp, ruleNames: new Set(ruleNames) })

/** Reports whether a file looks as it did: `which` is its position in the image. */
export function isSameFile(stats: Stats | undefined, looks: Float64Array, which: number): boolean {
  const at = which * LOOK_FIELDS
  return (
    stats !== undefined &&
    stats.ctimeMs === looks[at + 3] &&
    stats.mtimeMs === looks[at + 2] &&
    stats.size === looks[at + 1] &&
    stats.ino === looks[at] &&
    stats.isFile()
  )
}
