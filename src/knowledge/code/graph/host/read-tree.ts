import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ToolError } from '../../../../kernel/error.ts'
import { LARGEST } from '../../../model/facts/facts-of.ts'
import { isSettings } from '../../../../languages/javascript/modules/module-settings.ts'
import { readSource } from '../../../index/parsing/read-source.ts'
import { hardenedGit } from '../../../../machine/process/overlay/hardened-git.ts'
import { blobName } from '../../../model/blob-name.ts'
import { modelKey } from '../../../model/model-of.ts'
import { parseModel } from '../../../model/parse-model.ts'
import type { FileModel } from '../../../../languages/file-model/file-model.ts'
import type { ConfigFile } from '../../../../languages/javascript/modules/module-finder.ts'
import type { CodeCache } from './code-cache.ts'
import type { BlobFile, Tree } from './messages.ts'

/** A tree whose files all have blob names. */
export interface NamedTree {
  readonly files: readonly BlobFile[]
  /** Contents that were read to name them. */
  readonly bytes: Map<string, Uint8Array>
}

/** Blob names by path, valid while the file's stamp is unchanged. */
export type Stamps = Map<string, { readonly stamp: string; readonly blob: string }>

/** Names each content as git does, so that a file on disk and one in a commit share cached facts. */
export function namedTree({ directory, files }: Tree, stamps: Stamps = new Map()): NamedTree {
  const bytes = new Map<string, Uint8Array>()
  const blobFiles: BlobFile[] = []
  for (const file of files) {
    const blob = file.blob ?? (file.bytes ? blobName(file.bytes) : blobOnDisk(file.path))
    if (file.bytes) bytes.set(file.path, file.bytes)
    if (blob !== undefined) blobFiles.push({ ...file, blob })
  }
  return { files: blobFiles, bytes }

  function blobOnDisk(path: string): string | undefined {
    const whole = join(directory, path)
    const stamp = stampOf(whole)
    const cachedStamp = stamps.get(whole)
    if (cachedStamp && cachedStamp.stamp === stamp) return cachedStamp.blob
    stamps.delete(whole)
    const source = readSource(directory, path)
    if (!source) return undefined
    bytes.set(path, source.bytes)
    const blob = blobName(source.bytes)
    if (source.isSettled && stamp !== undefined && stampOf(whole) === stamp) stamps.set(whole, { stamp, blob })
    return blob
  }
}

function stampOf(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats?.isFile() ? `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : undefined
}

/** A key for a whole tree: its paths and contents. */
export function treeKey({ files }: NamedTree, version: string): string {
  const sum = createHash('sha256').update(version)
  const sortedFiles = files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  for (const { path, blob } of sortedFiles) sum.update(`\0${path}\0${blob}`)
  return sum.digest('hex').slice(0, 40)
}

interface ReadTree {
  readonly codes: readonly (readonly [string, FileModel])[]
  readonly configs: readonly ConfigFile[]
  /** Cache keys by path. */
  readonly keys: ReadonlyMap<string, string>
}

/** Returns the models of all files, from the cache if possible, and the configuration files. */
export async function readTree(
  { directory, from }: Tree,
  { files, bytes }: NamedTree,
  cache: { get(key: string, path: string): FileModel | undefined; put: CodeCache['put'] },
): Promise<ReadTree> {
  const models = new Map<string, FileModel>()
  const missing: BlobFile[] = []
  for (const file of files) {
    const code = isSettings(file.path) ? undefined : cache.get(keyOf(file), file.path)
    if (code) models.set(file.path, code)
    else missing.push(file)
  }
  const freshModels = new Map<string, FileModel>()
  const configs: ConfigFile[] = []
  let parseCount = 0
  for (const part of inParts(missing, 500)) {
    const content = from === 'git' ? contentsIn(directory, part, bytes) : bytes
    for (const file of part) {
      const text = content.get(file.path) ?? (from === 'disk' ? sourceOf(directory, file) : undefined)
      if (!text) continue
      if (isSettings(file.path)) {
        configs.push({ path: file.path, text: Buffer.from(text).toString() })
        continue
      }
      // Memory that a parser holds outside of the heap is freed only between two turns.
      if (++parseCount % PARSED_IN_TURN === 0) await nextTurn()
      const code = await parseModel(file.path, text)
      if (!code) continue
      models.set(file.path, code)
      freshModels.set(keyOf(file), code)
    }
    cache.put(freshModels)
    freshModels.clear()
  }
  const codes = files.flatMap(({ path }) => {
    const code = models.get(path)
    return code ? [[path, code] as const] : []
  })
  return { codes, configs, keys: new Map(files.map(file => [file.path, keyOf(file)])) }
}

const PARSED_IN_TURN = 20

const keyOf = ({ path, blob }: BlobFile): string => `${blob}.${modelKey(path)}`

/** Returns undefined if its content has changed since it was named. */
function sourceOf(directory: string, { path, blob }: BlobFile): Uint8Array | undefined {
  const bytes = readSource(directory, path)?.bytes
  return bytes && blobName(bytes) === blob ? bytes : undefined
}

/** Contents from git's objects, by path. */
function contentsIn(
  directory: string,
  files: readonly BlobFile[],
  known: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, Uint8Array> {
  const contents = new Map(known)
  const missingFiles = files.filter(({ path }) => !known.has(path))
  const input = Buffer.from(missingFiles.map(({ blob }) => `${blob}\n`).join(''))
  const { stdout } = hardenedGit(directory, ['cat-file', '--batch', '--buffer'], input, process.env)
  const missing: string[] = []
  let at = 0
  for (const { path } of missingFiles) {
    const end = stdout.indexOf(10, at)
    const [, , size] = end < 0 ? [] : stdout.subarray(at, end).toString().split(' ')
    at = end < 0 ? stdout.length : end + 1
    if (size === undefined) {
      missing.push(path)
      continue
    }
    const length = Number(size)
    contents.set(path, stdout.subarray(at, at + Math.min(length, LARGEST + 1)))
    at += length + 1
  }
  if (missing.length > 0) throw incomplete(missing)
  return contents
}

/** Without them the graph would look like that of a commit that lacks these files. */
function incomplete(paths: readonly string[]): ToolError {
  const some = paths.slice(0, 3).join(', ')
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : ''
  return new ToolError(
    'io',
    `The repository does not hold all contents of this commit: ${some}${more} cannot be read`,
    {
      hint: 'In a partial clone, `git fetch --refetch --no-filter` brings them; else an object is lost, and `git fsck` says which.',
    },
  )
}

function* inParts<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}
