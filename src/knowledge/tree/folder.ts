import type { FSWatcher } from 'node:fs'
import type { KnownFile } from './catalog.ts'
import { isAscii } from './disk-path.ts'
import type { Rules } from './ignore/rules.ts'

/** A directory of the tree, with its listed entries. Names and `bytes` are bytes (U+0000..U+00FF). */
export interface Folder {
  /** Both end with a slash; empty for the root. */
  readonly path: string
  readonly bytes: string
  readonly name: string
  /** The bytes are valid as a path. */
  readonly plain: boolean
  readonly parent: Folder | undefined
  readonly files: Map<string, KnownFile>
  readonly folders: Map<string, Folder>
  /** Rules that apply here, including its own files; undefined until it is listed. */
  rules: Rules | undefined
  /** Its ignore files, and their state when they were read. */
  ruleNames: ReadonlySet<string>
  rulesStamp: string
  /** Some of them are outside any watched directory. */
  rulesElsewhere: boolean
  /** Distinguishes it from another directory at the same path. */
  identity: string | undefined
  /** Stamp of the directory itself; changes when a name is added or removed. Undefined if that would not show. */
  stamp: string | undefined
  watcher: FSWatcher | undefined
  /** Watchers of files with several names. */
  linked: Map<string, { readonly ino: number; readonly watcher: FSWatcher }> | undefined
  /** Position from which threads look at its files; undefined if they do not know its current files. */
  looked: number | undefined
  /** How to look at it next, if queued. */
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

/** Yields a directory and all below it. */
export function* foldersOf(top: Folder): Generator<Folder> {
  const pending = [top]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    yield folder
    for (const each of folder.folders.values()) pending.push(each)
  }
}
