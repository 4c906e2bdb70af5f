import type { RepositoryEntry, RepositorySource } from './types.ts'

/** So many files are fetched at the same time. */
const AT_ONCE = 8

/** The contents of these files in their order, fetched a few at a time, until there is no time left. */
export async function* readFiles(
  source: RepositorySource,
  files: readonly RepositoryEntry[],
  deadline: number,
): AsyncGenerator<{ readonly file: RepositoryEntry; readonly bytes: Buffer }> {
  for (let at = 0; at < files.length && Date.now() <= deadline; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE)
    const contents = await Promise.all(some.map(({ path, size }) => (size === 0 ? NOTHING : source.read(path))))
    for (const [place, file] of some.entries()) yield { file, bytes: contents[place]?.bytes ?? NOTHING.bytes }
  }
}

const NOTHING = { bytes: Buffer.alloc(0) }
