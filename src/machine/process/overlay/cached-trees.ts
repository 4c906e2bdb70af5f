import { createHash } from 'node:crypto'
import { parseIndex, type IdSize } from '../../workspace/git-index.ts'
import { nameFromBytes, nameToBytes } from '../../workspace/name.ts'
import { join } from '../../workspace/path.ts'

const CACHE = 'TREE'
const DIRECTORY_MODE = '40000'

interface Entry {
  readonly path: string
  /** Octal, as git prints it. */
  readonly mode: string
  readonly id: string
}

/** A tree that the next commit takes from the index instead of building it. */
interface CachedTree {
  /** The directory; that of the whole index is '.'. */
  readonly path: string
  readonly id: string
}

/**
 * Returns a directory whose cached tree in an index is not what the entries make: the next commit would hold other
 * files than the index lists. `entries`: all of them, with those of a shared index.
 */
export function mistakenTree(bytes: Buffer, entries: readonly Entry[]): string | undefined {
  const size = entries[0]?.id.length === 64 ? 32 : 20
  const cache = parseIndex(bytes, size)?.extensions.find(({ name }) => name === CACHE)
  const treeRecords = cache === undefined ? [] : cachedTrees(cache.data, size)
  if (treeRecords === undefined) return '.'
  if (treeRecords.length === 0) return undefined
  const trees = treesOf(entries, size)
  return treeRecords.find(({ path, id }) => trees.get(path) !== id)?.path
}

/** Returns undefined for a cache that git does not write. */
function cachedTrees(data: Buffer, size: IdSize): readonly CachedTree[] | undefined {
  const records: CachedTree[] = []
  const parents = ['.']
  let at = 0
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    const nameEnd = data.indexOf(0, at)
    const lineEnd = data.indexOf('\n', nameEnd)
    const [, count, below] = /^(-1|\d+) (\d+)$/.exec(data.toString('latin1', nameEnd + 1, lineEnd)) ?? []
    if (nameEnd < 0 || lineEnd < 0 || count === undefined || Number(below) > data.length) return undefined
    const path = join(parent, nameFromBytes(data.subarray(at, nameEnd)) || '.')
    at = lineEnd + 1
    if (count !== '-1') records.push({ path, id: data.toString('hex', at, (at += size)) })
    for (let childrenLeft = Number(below); childrenLeft > 0; childrenLeft--) parents.push(path)
  }
  return records
}

/** Returns the id of each tree that a commit of these entries would have, by its directory. */
function treesOf(entries: readonly Entry[], size: IdSize): ReadonlyMap<string, string> {
  const trees = new Map<string, string>()
  let at = 0
  // Entries are in the order of git's trees, so those of a directory follow each other.
  build('.', '')
  return trees

  function build(directory: string, prefix: string): string {
    const lines: Buffer[] = []
    while (at < entries.length) {
      const entry = entries[at]
      if (!entry?.path.startsWith(prefix)) break
      const [name = '', ...below] = entry.path.slice(prefix.length).split('/')
      const isFile = below.length === 0
      if (isFile) at++
      const id = isFile ? entry.id : build(join(directory, name), `${prefix}${name}/`)
      const mode = isFile ? entry.mode : DIRECTORY_MODE
      lines.push(
        Buffer.from(`${mode} `),
        nameToBytes(name) ?? Buffer.from(name),
        Buffer.alloc(1),
        Buffer.from(id, 'hex'),
      )
    }
    const body = Buffer.concat(lines)
    const hash = createHash(size === 32 ? 'sha256' : 'sha1').update(`tree ${body.length}\0`)
    const id = hash.update(body).digest('hex')
    trees.set(directory, id)
    return id
  }
}
