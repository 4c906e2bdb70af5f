import { randomUUID } from 'node:crypto'
import { isSecretFile } from '../../kernel/secret-files.ts'
import type { Tree } from '../tree/tree.ts'
import { comparePaths } from '../search/path-order.ts'
import { nameMask } from './name-mask.ts'

/** All paths of a tree in the order of a walk, updated as files are added and removed. */
export interface PathList {
  /** Stays the same until a file is added or removed; unique to this process. */
  version(): string
  all(): readonly string[]
  /** The mask of each path's last name. */
  nameMasks(): readonly number[]
  /**
   * Files that no search reaches: foreign ones, which are not in the list, and files with secrets for a caller that may
   * not read them. Returns the same array while they are the same.
   */
  leftOut(withSecrets?: boolean): readonly string[]
  /** Returns the files with secrets among all. */
  secrets(): readonly string[]
  /** Returns the range of the files below a directory. */
  below(directory: string): { readonly from: number; readonly to: number }
}

const MINE = randomUUID()
/** More changes at once are sorted anew. */
const FEW = 200

export function pathList(tree: Tree, isForeign: (path: string) => boolean = () => false): PathList {
  let paths: string[] = []
  let masks: number[] = []
  let knownPaths = new Set<string>()
  let foreign = new Set<string>()
  let secret = new Set<string>()
  let foreignPaths: readonly string[] = []
  let leftWithSecrets: readonly string[] = []
  let changes = 0
  let isStale = true
  tree.onChange(({ put, gone }) => {
    const news = isStale ? [] : put.filter(({ path }) => !knownPaths.has(path)).map(({ path }) => path)
    const areOthers = change(foreign, news.filter(isForeign), gone)
    if (areOthers) foreignPaths = [...foreign]
    if (change(secret, news.filter(isSecretFile), gone) || areOthers) leftWithSecrets = [...foreign, ...secret]
    const newPaths = news.filter(path => !foreign.has(path))
    const removedPaths = isStale ? [] : gone.filter(path => knownPaths.has(path))
    if (isStale || newPaths.length + removedPaths.length === 0) return
    changes++
    if (newPaths.length + removedPaths.length > FEW) return void (isStale = true)
    for (const path of removedPaths) {
      knownPaths.delete(path)
      const place = placeOf(path)
      paths.splice(place, 1)
      masks.splice(place, 1)
    }
    for (const path of newPaths) {
      knownPaths.add(path)
      const place = placeOf(path)
      paths.splice(place, 0, path)
      masks.splice(place, 0, nameMask(path))
    }
  })

  /** Returns the position of a path, or where it would be. */
  function placeOf(path: string): number {
    let [from, to] = [0, paths.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (comparePaths(paths[middle] ?? '', path) < 0) from = middle + 1
      else to = middle
    }
    return from
  }

  function fresh(): readonly string[] {
    if (!isStale) return paths
    const all = [...tree.files().keys()]
    foreignPaths = all.filter(isForeign)
    foreign = new Set(foreignPaths)
    secret = new Set(all.filter(isSecretFile))
    leftWithSecrets = [...foreign, ...secret]
    paths = sideBySide(all.filter(path => !foreign.has(path)).toSorted(comparePaths))
    masks = paths.map(nameMask)
    knownPaths = new Set(paths)
    isStale = false
    changes++
    return paths
  }

  return {
    version: () => (fresh(), `${MINE}:${changes}`),
    all: fresh,
    nameMasks: () => (fresh(), masks),
    secrets: () => (fresh(), [...secret].filter(path => !foreign.has(path))),
    leftOut: (withSecrets = false) => (fresh(), withSecrets ? leftWithSecrets : foreignPaths),
    below(directory) {
      const { length } = fresh()
      if (directory === '.') return { from: 0, to: length }
      return { from: placeOf(`${directory}/`), to: endOf(`${directory}/`) }
    },
  }

  function endOf(prefix: string): number {
    let [from, to] = [placeOf(prefix), paths.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (paths[middle]?.startsWith(prefix)) from = middle + 1
      else to = middle
    }
    return from
  }
}

/** Updates a set and reports whether it changed. */
function change(set: Set<string>, added: readonly string[], gone: readonly string[]): boolean {
  let isAnother = false
  for (const path of gone) if (set.delete(path)) isAnother = true
  for (const path of added) {
    if (set.has(path)) continue
    set.add(path)
    isAnother = true
  }
  return isAnother
}

/** Copies texts into adjacent memory: walking those of a tree, scattered over the heap, takes twice as long. */
const sideBySide = (texts: readonly string[]): string[] => JSON.parse(JSON.stringify(texts))
