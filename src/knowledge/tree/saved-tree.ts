import { hash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { KnownFile } from './catalog.ts'
import { stampOf } from './stamp.ts'

/** Saved state of a tree's files. */
export interface SavedTree {
  readonly files: readonly KnownFile[]
}

/** Increase when the meaning of the file changes; other formats are not read. */
const FORMAT = 'toolwright tree 1'

/** Columns load in a fraction of the time of objects. */
const columns = z.object({
  path: z.array(z.string()),
  ino: z.array(z.number()),
  size: z.array(z.number()),
  mtimeMs: z.array(z.number()),
  ctimeMs: z.array(z.number()),
  /** Stamps that cannot be derived from the look, and files that may have changed within a tick of it. */
  stamps: z.record(z.string(), z.string()),
  racy: z.array(z.string()),
})

/** Writes the list completely or not at all, for `loadTree` in a later process. */
export function saveTree(files: ReadonlyMap<string, KnownFile>, path: string): void {
  const all = [...files.values()]
  const body = JSON.stringify({
    path: all.map(file => file.path),
    ino: all.map(file => file.ino),
    size: all.map(file => file.size),
    mtimeMs: all.map(file => file.mtimeMs),
    ctimeMs: all.map(file => file.ctimeMs),
    stamps: Object.fromEntries(
      all.filter(file => file.stamp !== stampOf(file)).map(({ path: name, stamp }) => [name, stamp]),
    ),
    racy: all.filter(file => file.racy).map(file => file.path),
  } satisfies z.infer<typeof columns>)
  const temporary = `${path}.${process.pid}`
  const fd = openSync(temporary, 'w', 0o600)
  try {
    writeFileSync(fd, `${FORMAT}\n${hash('sha256', body)}\n${body}`)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(temporary, path)
}

/**
 * Loads a list that `saveTree` wrote. Returns undefined if there is none, or if it is damaged or of another version.
 */
export function loadTree(path: string): SavedTree | undefined {
  const text = read(path)
  const head = text?.split('\n', 2)
  if (text === undefined || head?.[0] !== FORMAT || head[1] === undefined) return undefined
  const body = text.slice(FORMAT.length + head[1].length + 2)
  if (hash('sha256', body) !== head[1]) return undefined
  const savedColumns = columns.safeParse(JSON.parse(body))
  return savedColumns.success ? filesOf(savedColumns.data) : undefined
}

function filesOf({ path, ino, size, mtimeMs, ctimeMs, stamps, racy }: z.infer<typeof columns>): SavedTree {
  const special = new Map(Object.entries(stamps))
  const unsure = new Set(racy)
  const files = path.map((name, at): KnownFile => {
    const look = { ino: ino[at] ?? 0, size: size[at] ?? 0, mtimeMs: mtimeMs[at] ?? 0, ctimeMs: ctimeMs[at] ?? 0 }
    return { path: name, ...look, stamp: special.get(name) ?? stampOf(look), racy: unsure.has(name) }
  })
  return { files }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
