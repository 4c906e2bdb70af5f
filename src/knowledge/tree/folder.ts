import type { FSWatcher } from 'node:fs'
import type { KnownFile } from './catalog.ts'
import { isAscii } from './disk-path.ts'
import type { Rules } from './ignore/rules.ts'

/** A directory of the tree, with what of it is listed. Names and `bytes` are bytes (U+0000..U+00FF). */
export interface Folder {
  /** Both end with a slash; empty for the root. */
  readonly path: string
  readonly bytes: string
  readonly name: string
  /** The bytes are a path as it is. */
  readonly plain: boolean
  readonly parent: Folder | undefined
  readonly files: Map<string, KnownFile>
  readonly folders: Map<string, Folder>
  /** What decides here, its own files included; undefined until it was listed. */
  rules: Rules | undefined
  /** Which files with rules it has, and how they were when they were read. */
  ruleNames: ReadonlySet<string>
  rulesStamp: string
  /** Some of them are where no watched directory tells of a change. */
  rulesElsewhere: boolean
  /** Tells it from another directory at the same path. */
  identity: string | undefined
  /** Of the directory itself: another where a name came or went; undefined if that would not show. */
  stamp: string | undefined
  watcher: FSWatcher | undefined
  /** Watchers of its files that have other names too. */
  linked: Map<string, { readonly ino: number; readonly watcher: FSWatcher }> | undefined
  /** From where on threads look at its files; undefined if it has other files than they know of. */
  looked: number | undefined
  /** How it is to be looked at next, where it is. */
  queued: 'list' | 'verify' | 'all' | undefined
  /** No longer part of the tree. */
  gone: boolean
}

export const newFolder = (parent: Folder | undefined, name: string, path: string): Folder => ({
  path,
  bytes: parent === undefined ? '' : `${parent.bytes}${name}/`,
  name,
  plain: parent === undefined || (parent.plain && isAscii(name)),
  parent,
  files: new Map(),
  folders: new Map(),
  rules: undefined,
  ruleNames: NONE,
  rulesStamp: '',
  rulesElsewhere: false,
  identity: undefined,
  stamp: undefined,
  watcher: undefined,
  linked: undefined,
  looked: undefined,
  queued: undefined,
  gone: false,
})

const NONE: ReadonlySet<string> = new Set()

/** A directory and all below it. */
export function* foldersOf(top: Folder): Generator<Folder> {
  const pending = [top]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    yield folder
    for (const each of folder.folders.values()) pending.push(each)
  }
}
