import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
  type BigIntStats,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ToolError } from '../../../kernel/error.ts'
import { nameFromBytes } from '../../workspace/name.ts'
import { parentOf } from '../../workspace/path.ts'
import type { Root } from '../../workspace/root.ts'
import type { Staging } from '../../workspace/staging.ts'
import { readIndex, SKIPPED, writeIndex, type GitIndex, type IndexEntry } from '../../workspace/git-index.ts'
import type { LayerChange } from './layer-change.ts'
import { openGitFile } from './open-git-file.ts'
import { bytesOf } from './stage-changes.ts'

const INDEX = '.git/index'
const EXCLUDE = '.git/info/exclude'

/** Entries that make git in a command ignore hidden files. */
interface HiddenFromGit {
  /** Returns the command's changes without our own entries. */
  lift(made: readonly LayerChange[]): readonly LayerChange[]
}

/**
 * Makes git ignore hidden files, which it would otherwise report as changed and try to add. In the command's layer,
 * marks tracked ones as skip-worktree and excludes the others.
 */
export function hideFromGit(
  root: Root,
  staging: Staging,
  layer: string,
  hiddenPaths: readonly string[],
): HiddenFromGit {
  const names = new Set(hiddenPaths)
  const index = names.size > 0 ? indexAt(root, staging) : undefined
  if (index === undefined) return { lift: made => made }
  const indexStats = index.stats
  const indexFile = readIndex(index.bytes)
  const isHidden = (path: string): boolean =>
    path !== '.' && (names.has(path) || (path.includes('/') && isHidden(parentOf(path))))
  const markedPaths = new Set<string>()
  if (indexFile) {
    const entries = indexFile.entries.map(entry => (isHidden(nameFromBytes(entry.path)) ? mark(entry) : entry))
    if (markedPaths.size > 0) put(root, layer, INDEX, writeIndex({ ...indexFile, entries }), indexStats)
  }
  const others = hiddenPaths.filter(path => !markedPaths.has(path) && !path.includes('\n'))
  if (others.length > 0) {
    const exclude = fileAt(root, EXCLUDE)
    const lines = `\n${others.map(path => `/${path.replaceAll(/[\\*?[]| $/g, '\\$&')}\n`).join('')}`
    put(root, layer, EXCLUDE, Buffer.concat([exclude?.bytes ?? Buffer.alloc(0), Buffer.from(lines)]), exclude?.stats)
  }
  return {
    lift: made =>
      made.flatMap(one => {
        if (others.length > 0 && (one.path === EXCLUDE || one.path === dirname(EXCLUDE))) return []
        return one.path === INDEX && one.type === 'file' && markedPaths.size > 0 ? [unmarkIndex(one)] : [one]
      }),
  }

  function mark(entry: IndexEntry): IndexEntry {
    if ((entry.more & SKIPPED) !== 0) return entry
    markedPaths.add(nameFromBytes(entry.path))
    return { ...entry, more: entry.more | SKIPPED }
  }

  function unmarkIndex(one: Extract<LayerChange, { type: 'file' }>): LayerChange {
    const newIndex = readIndex(bytesOf(one))
    if (newIndex === undefined) throw unreadable()
    const bytes = writeIndex(withoutMarks(newIndex))
    one.at.layer.replace(one.at.path, bytes)
    return { ...one, size: bytes.length }
  }

  function withoutMarks({ entries, extensions }: GitIndex): GitIndex {
    const lift = (entry: IndexEntry) =>
      markedPaths.has(nameFromBytes(entry.path))
        ? { ...doubtful(entry, indexStats), more: entry.more & ~SKIPPED }
        : entry
    return { entries: entries.map(lift), extensions }
  }
}

/**
 * A file changed in the second in which the index was written looks unchanged to git. Git compares such files itself
 * only with an older index, and ours is newer. Clearing the time forces the comparison.
 */
function doubtful(entry: IndexEntry, written: BigIntStats): IndexEntry {
  if (entry.stat.readUInt32BE(MODIFIED) < Number(written.mtimeMs / 1000n)) return entry
  const stat = Buffer.from(entry.stat)
  stat.fill(0, MODIFIED, MODIFIED + 8)
  return { ...entry, stat }
}

const MODIFIED = 8

/** Returns the index as the transaction has it, with the times of the one on disk. */
function indexAt(root: Root, staging: Staging): ReturnType<typeof fileAt> {
  const onDisk = fileAt(root, INDEX)
  const stagedState = staging.get(INDEX)?.state
  if (stagedState === undefined) return onDisk
  const bytes = stagedState.type === 'file' && 'bytes' in stagedState ? stagedState.bytes : undefined
  return bytes && { bytes, stats: onDisk?.stats ?? root.sys.fstat(root.fd) }
}

function fileAt(root: Root, path: string): { readonly bytes: Buffer; readonly stats: BigIntStats } | undefined {
  const fd = openGitFile(root, path)
  if (fd === undefined) return undefined
  try {
    return { bytes: readFileSync(fd), stats: root.sys.fstat(fd) }
  } finally {
    root.sys.close(fd)
  }
}

/**
 * Puts a file into the layer. Its directories get mode and owner from the workspace, since the topmost layer decides.
 */
function put(root: Root, layer: string, path: string, bytes: Buffer, stats: BigIntStats | undefined): void {
  const parents: string[] = []
  for (let at = parentOf(path); at !== '.'; at = parentOf(at)) parents.unshift(at)
  for (const parent of parents)
    if (mkdirSync(join(layer, parent), { recursive: true }) !== undefined) liken(join(layer, parent), statsAt(parent))
  writeFileSync(join(layer, path), bytes)
  liken(join(layer, path), stats)
  // Never newer than the real index: git trusts the times of files that are older than the index.
  if (stats)
    utimesSync(join(layer, path), Math.floor(Number(stats.atimeMs) / 1000), Math.floor(Number(stats.mtimeMs) / 1000))

  function statsAt(parent: string): BigIntStats | undefined {
    return lstatSync(join(root.path, parent), { bigint: true, throwIfNoEntry: false })
  }

  function liken(
    made: string,
    { mode, uid, gid }: Pick<BigIntStats, 'mode' | 'uid' | 'gid'> = root.sys.fstat(root.fd),
  ) {
    if (process.getuid?.() === 0) chownSync(made, Number(uid), Number(gid))
    chmodSync(made, Number(mode & 0o7777n))
  }
}

const unreadable = (): ToolError =>
  new ToolError(
    'denied',
    'The command left the index of the repository in a form in which hidden files cannot be told from others; all its changes were discarded',
    { hint: 'Have it keep the index whole: no split or sparse index.', details: { path: INDEX } },
  )
