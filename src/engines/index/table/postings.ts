/** Files by a name, each list in the order of paths. */
export interface Postings<File extends { readonly path: string }> {
  get(name: string): readonly File[]
  add(name: string, file: File): void
  remove(name: string, path: string): void
  /** How many files each name has. */
  counts(): IterableIterator<readonly [string, number]>
}

export function createPostings<File extends { readonly path: string }>(): Postings<File> {
  const lists = new Map<string, File[]>()
  return {
    get: name => lists.get(name) ?? [],
    add(name, file) {
      const list = lists.get(name)
      if (list) insertByPath(list, file)
      else lists.set(name, [file])
    },
    remove(name, path) {
      const list = lists.get(name)
      if (!list) return
      removeByPath(list, path)
      if (list.length === 0) lists.delete(name)
    },
    *counts() {
      for (const [name, list] of lists) yield [name, list.length] as const
    },
  }
}

/** Puts a file where it belongs, in place of the one that was there. */
export function insertByPath<File extends { readonly path: string }>(list: File[], file: File): void {
  const last = list.at(-1)
  // Files come in order while the index is built.
  if (last === undefined || last.path < file.path) {
    list.push(file)
    return
  }
  const at = placeOf(list, file.path)
  list.splice(at, list[at]?.path === file.path ? 1 : 0, file)
}

export function removeByPath<File extends { readonly path: string }>(list: File[], path: string): void {
  const at = placeOf(list, path)
  if (list[at]?.path === path) list.splice(at, 1)
}

/** The place of the first file whose path is not before this one. */
export function placeOf(list: readonly { readonly path: string }[], path: string): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle]?.path ?? '') < path) low = middle + 1
    else high = middle
  }
  return low
}
