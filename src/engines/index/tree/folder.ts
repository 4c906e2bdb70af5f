import type { FSWatcher } from 'node:fs'
import type { Rules } from './ignore/rules.ts'
import type { TreeFile } from './tree.ts'

/** A directory of the tree, with what of it is listed. Names and `bytes` are bytes (U+0000..U+00FF). */
export interface Folder {
  /** Both end with a slash; empty for the root. */
  readonly path: string
  readonly bytes: string
  readonly name: string
  readonly parent: Folder | undefined
  readonly files: Map<string, TreeFile>
  readonly folders: Map<string, Folder>
  /** What decides here, its own files included; undefined until it was listed. */
  rules: Rules | undefined
  /** Which files with rules it has, and how they were when they were read. */
  ruleNames: ReadonlySet<string>
  rulesStamp: string
  /** Tells it from another directory at the same path. */
  identity: string | undefined
  /** Of the directory itself: another where a name came or went; undefined where that would not show. */
  stamp: string | undefined
  watcher: FSWatcher | undefined
  /** No longer part of the tree. */
  gone: boolean
}

export const newFolder = (parent: Folder | undefined, name: string, path: string): Folder => ({
  path,
  bytes: parent === undefined ? '' : `${parent.bytes}${name}/`,
  name,
  parent,
  files: new Map(),
  folders: new Map(),
  rules: undefined,
  ruleNames: NONE,
  rulesStamp: '',
  identity: undefined,
  stamp: undefined,
  watcher: undefined,
  gone: false,
})

const NONE: ReadonlySet<string> = new Set()
