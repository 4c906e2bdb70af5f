import type { ReadMemory } from '../workspace/read-memory.ts'
import type { OpenFile } from '../workspace/workspace.ts'
import { readWhole } from './line-index.ts'

/** Cached reads of a repository that has not changed since. */
interface CachedReads {
  readonly version: string
  bytes: number
  readonly files: Map<string, OpenFile>
}

const MOST_BYTES = 32 * 1024 * 1024

/** Per session memory: a session never sees another's reads. */
const readsByMemory = new WeakMap<ReadMemory, CachedReads>()

interface OpenCached {
  readonly file: OpenFile
  readonly cached: boolean
  /** Stores it for the next time. */
  keep(): void
}

/** Opens a file of this version of the repository, from the cache if present. */
export function openCached(
  memory: ReadMemory,
  version: string,
  path: string,
  { open, most }: { open(): OpenFile; /** A bigger file is not kept. */ readonly most: number },
): OpenCached {
  const shelf = cacheOf(memory, version)
  const cachedFile = shelf.files.get(path)
  if (cachedFile) return { file: cachedFile, cached: true, keep() {} }
  const openFile = open()
  if (openFile.size > most || shelf.bytes + openFile.size > MOST_BYTES)
    return { file: openFile, cached: false, keep() {} }
  const file = inMemory(openFile)
  const keep = (): void => {
    shelf.bytes += file.size
    shelf.files.set(path, file)
  }
  return { file, cached: false, keep }
}

function inMemory(opened: OpenFile): OpenFile {
  try {
    const bytes = readWhole(opened, 0, opened.size)
    return { ...opened, read: (offset, length) => bytes.subarray(offset, offset + length), close() {} }
  } finally {
    opened.close()
  }
}

function cacheOf(memory: ReadMemory, version: string): CachedReads {
  const before = readsByMemory.get(memory)
  if (before?.version === version) return before
  const empty: CachedReads = { version, bytes: 0, files: new Map() }
  readsByMemory.set(memory, empty)
  return empty
}
