import type { Root } from '../../machine/workspace/root.ts'
import { createCatalog, type KnownFile } from './catalog.ts'
import { decodePath, textOf } from './disk-path.ts'
import { newFolder, type Folder } from './folder.ts'
import { rulesIn } from './folder-rules.ts'
import type { Rules } from './ignore/rules.ts'
import { syncFolder, type SyncParts } from './sync-folder.ts'
import type { TreeFile } from './tree.ts'
import { LOOK_FIELDS, type FolderImage, type TreeImage } from './tree-image.ts'
import { createWorkQueue } from './work-queue.ts'

interface Listing {
  readonly root: Pick<Root, 'fd'>
  /** Path of the root, as bytes. */
  readonly place: string
  /** Reads the rules from outside the root. */
  readonly rules: () => Rules
  /** Gives up beyond this many directories and names to look at. */
  readonly most: number
}

interface Listed {
  /** Positions in the image of files that are no longer listed. */
  readonly gone: readonly number[]
  readonly put: readonly TreeFile[]
}

/**
 * Lists directories of an image whose names have changed, and what is new below them, as the tree itself does. Returns
 * undefined if that is too much, if the rules of others may have changed with them, or if one may not be read.
 */
export function listAgain(image: TreeImage, again: readonly FolderImage[], how: Listing): Listed | undefined {
  const seeds = seedsOf(image, again)
  const catalog = createCatalog([...seeds.values()].flatMap(({ files }) => [...files.values()]))
  const queue = createWorkQueue()
  const unreadableFolders = new Set<Folder>()
  let isUnsure = false
  const parts: SyncParts = {
    rootFd: how.root.fd,
    rootPath: () => how.place,
    catalog,
    refused: unreadableFolders,
    outside: how.rules,
    watch() {},
    watchFile: () => undefined,
    enqueue(folder, depth) {
      if (depth === 'all') isUnsure = true
      queue.enqueue(folder, depth)
    },
    mark: queue.mark,
    leaveFiles: () => false,
    askForRules() {},
  }
  const folders = foldersFrom(image, parts)
  const lostFolders: string[] = []
  // A directory comes before those below it.
  for (const { bytes } of again) {
    const folder = folders.at(bytes)
    if (isGone(folder)) continue
    const { files, below } = seeds.get(bytes) ?? { files: new Map(), below: [] }
    for (const [name, file] of files) folder.files.set(name, file)
    const stubs = below.map(each => folders.stub(each, folder))
    for (const stub of stubs) folder.folders.set(stub.name, stub)
    syncFolder(parts, folder, 'list')
    for (let steps = 0; queue.work(parts); steps++) if (steps > how.most) return undefined
    lostFolders.push(...stubs.filter(stub => stub.gone).map(stub => stub.bytes))
  }
  if (isUnsure || unreadableFolders.size > 0) return undefined
  const put: TreeFile[] = []
  const removedPaths = new Set<string>()
  catalog.onChange(change => {
    put.push(...change.put)
    for (const path of change.gone) removedPaths.add(path)
  })
  catalog.tell()
  const isLost = (bytes: string): boolean =>
    lostFolders.some(start => bytes.startsWith(start)) || (removedPaths.size > 0 && removedPaths.has(decodePath(bytes)))
  return { put, gone: image.files.flatMap((bytes, which) => (isLost(bytes) ? which : [])) }
}

interface Seed {
  readonly files: Map<string, KnownFile>
  readonly below: FolderImage[]
}

/** Returns what the image has directly in each of these directories. */
function seedsOf({ folders, files, looks }: TreeImage, again: readonly FolderImage[]): ReadonlyMap<string, Seed> {
  const seeds = new Map<string, Seed>(again.map(({ bytes }) => [bytes, { files: new Map(), below: [] }]))
  for (const folder of folders) if (folder.bytes !== '') seeds.get(aboveOf(folder.bytes))?.below.push(folder)
  for (const [which, bytes] of files.entries()) {
    const start = bytes.lastIndexOf('/') + 1
    const seed = seeds.get(bytes.slice(0, start))
    if (!seed) continue
    const at = which * LOOK_FIELDS
    const [ino = 0, size = 0, mtimeMs = 0, ctimeMs = 0] = looks.subarray(at, at + LOOK_FIELDS)
    const racy = Number.isNaN(ino)
    seed.files.set(bytes.slice(start), { path: decodePath(bytes), ino, size, mtimeMs, ctimeMs, stamp: '', racy })
  }
  return seeds
}

/** Directories of an image in the form that the tree works on, each made once. */
function foldersFrom(image: TreeImage, parts: SyncParts) {
  const images = new Map(image.folders.map(folder => [folder.bytes, folder]))
  const foldersByPath = new Map<string, Folder>()
  const imageOf = (bytes: string): FolderImage => {
    const folderImage = images.get(bytes)
    if (!folderImage) throw new RangeError(`The image has no directory ${bytes}`)
    return folderImage
  }

  function stub(folder: FolderImage, parent: Folder | undefined): Folder {
    const { bytes, identity, ruleNames, rulesStamp } = folder
    const before = foldersByPath.get(bytes)
    if (before) return before
    const name = parent === undefined ? '' : bytes.slice(parent.bytes.length, -1)
    const fresh = newFolder(parent, name, parent === undefined ? '' : `${parent.path}${textOf(name)}/`)
    fresh.identity = identity
    fresh.ruleNames = new Set(ruleNames)
    fresh.rulesStamp = rulesStamp
    foldersByPath.set(bytes, fresh)
    return fresh
  }

  function at(bytes: string): Folder {
    const folder = stub(imageOf(bytes), bytes === '' ? undefined : at(aboveOf(bytes)))
    // One that is gone has no rules.
    if (!isGone(folder)) folder.rules ??= rulesIn(parts, folder)
    return folder
  }

  return { at, stub }
}

/** Reports whether a directory, or one above it, is no longer what the image has. */
const isGone = (folder: Folder): boolean => folder.gone || (folder.parent !== undefined && isGone(folder.parent))

const aboveOf = (bytes: string): string => bytes.slice(0, bytes.lastIndexOf('/', bytes.length - 2) + 1)
