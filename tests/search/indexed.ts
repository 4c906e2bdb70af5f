import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { relativeGlob } from '../../src/contracts/toolwright/relative-glob.ts'
import { openTree } from '../../src/knowledge/tree/open-tree.ts'
import { grep } from '../../src/knowledge/search/grep.ts'
import { openSearchIndex } from '../../src/knowledge/search/index/open-search-index.ts'
import { unpackLines } from '../../src/knowledge/search/index/packed-lines.ts'
import type { SearchIndex, SearchIndexParts } from '../../src/knowledge/search/index/types.ts'
import type { Grepped, GrepOptions } from '../../src/knowledge/search/types.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import { compileGlob } from '../../src/guards/glob.ts'
import { memoryDirectory } from '../memory-directory.ts'
import { heldDirectory } from './held-directory.ts'
import { takenByRipgrep } from './taken-by-ripgrep.ts'

export type Files = Readonly<Record<string, string | Buffer>>

/** A directory of its own with its index, until the test is over. */
export interface Indexed {
  readonly path: string
  readonly index: SearchIndex
  write(files: Files): void
  /** Reports whether the index answered at all; where it did, exactly as ripgrep does now. */
  isSame(options: GrepOptions): Promise<boolean>
}

interface Opening extends Partial<SearchIndexParts> {
  /** Whether texts are in files, as in the process of a workspace. */
  readonly isStored?: boolean
}

export async function indexed(files: Files, more: Opening = {}): Promise<Indexed> {
  const path = memoryDirectory('toolwright-indexed-')
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  write(path, files)
  return indexedAt(path, more)
}

/** The same for a directory that is there. */
export async function indexedAt(path: string, { isStored = true, ...more }: Opening = {}): Promise<Indexed> {
  const cacheDirectory = memoryDirectory('toolwright-segments-')
  onTestFinished(() => rmSync(cacheDirectory, { recursive: true, force: true }))
  const root = openRoot(path)
  const tree = openTree(root)
  const directory = `/proc/${process.pid}/fd/${root.fd}`
  const index = openSearchIndex({
    directory,
    tree,
    compileGlob,
    memoryBytes: 2 ** 30,
    threads: 2,
    matchMs: 60_000,
    waitMs: 60_000,
    ...(isStored && { cache: { directory: cacheDirectory, key: () => 'key' } }),
    ...more,
  })
  onTestFinished(async () => {
    await index.close()
    tree.close()
    root.close()
  })
  await index.ready()
  return {
    path,
    index,
    write: some => write(path, some),
    async isSame(options) {
      const globs = options.globs?.map(relativeGlob)
      const answer = await index.grep({ options: { ...options, globs } })
      if ('scan' in answer) return false
      expect({ options, ...told(answer) }).toEqual({ options, ...told(await scanned(path, options)) })
      // The same lines, as another process receives them.
      const { packed } = Object(await index.grep({ options: { ...options, globs }, packs: true }))
      if (packed) expect({ options, matches: unpackLines(packed) }).toEqual({ options, matches: answer.matches })
      return true
    },
  }
}

/** By ripgrep, globs too. */
function scanned(path: string, options: GrepOptions): Promise<Grepped> {
  const taken = options.globs && takenByRipgrep(path, options.globs)
  return grep(
    heldDirectory(path),
    { ...options, directory: '.' },
    {
      wanted: taken && { matches: one => taken.has(one), args: [], isExact: false },
      mayRead: () => true,
      secretFiles: 'open',
      hides: undefined,
      staged: undefined,
    },
  )
}

export const question = (patterns: readonly string[], more: Partial<GrepOptions> = {}): GrepOptions => ({
  patterns,
  maxResults: 100_000,
  timeoutMs: 60_000,
  ...more,
})

const told = ({
  matches,
  files,
  total,
  filesFound,
  filesSearched,
  timedOut,
}: Omit<Grepped, 'filesHidden' | 'secretsLeftOut'>) => ({
  matches,
  files,
  total,
  filesFound,
  filesSearched,
  timedOut,
})

function write(path: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
}
