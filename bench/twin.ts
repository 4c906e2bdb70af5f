import { copyFileSync, linkSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Corpus } from './corpora.ts'
import { openedIndex, type OpenedIndex } from './opened-index.ts'

/** The same files in another directory, with an index of its own: some can be written to, and the corpus stays as it is. */
export interface Twin extends AsyncDisposable {
  readonly path: string
  readonly opened: OpenedIndex
}

/** The files that will be written are copies; the others are the same files once more, which costs no room. */
export async function openedTwin(corpus: Corpus, files: Iterable<string>, written: readonly string[]): Promise<Twin> {
  const path = join(dirname(corpus.path), `.${corpus.name}-twin`)
  const remove = () => rmSync(path, { recursive: true, force: true })
  // What an ended run left there.
  remove()
  try {
    const copied = new Set(written)
    // Ignore files count in a repository only.
    const made = new Set([join(path, '.git')])
    for (const file of files) made.add(dirname(join(path, file)))
    for (const directory of made) mkdirSync(directory, { recursive: true })
    for (const file of files) (copied.has(file) ? copyFileSync : linkSync)(join(corpus.path, file), join(path, file))
    const opened = await openedIndex(path)
    return {
      path,
      opened,
      async [Symbol.asyncDispose]() {
        await opened[Symbol.asyncDispose]()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}
