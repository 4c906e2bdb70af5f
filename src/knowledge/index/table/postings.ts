/** Files by name, each list in path order. */
interface Postings<File extends { readonly path: string }> {
  get(name: string): readonly File[]
  /** Returns whether the name is new. */
  add(name: string, file: File): boolean
  remove(name: string, path: string): void
  names(): Iterable<string>
  /** Returns the number of files of each name. */
  counts(): IterableIterator<readonly [string, number]>
}

/** In a longer list, additions out of order are collected, because each insertion moves the rest. */
const LONG = 256
/** A shorter list is copied with each addition: one that grows in place reserves room for 16 more. */
const SHORT = 16

export function createPostings<File extends { readonly path: string }>(): Postings<File> {
  /** Half of all names are in one file only, which then stands for its list. */
  const postings = new Map<string, File | File[]>()
  /** Additions to long lists, merged on first use. */
  const late = new Map<string, File[]>()
  return {
    get(name) {
      const posting = postings.get(name)
      if (posting === undefined) return []
      return isList(posting) ? whole(name, posting) : [posting]
    },
    add(name, file) {
      const posting = postings.get(name)
      if (posting === undefined) postings.set(name, file)
      else if (isList(posting)) put(name, posting, file)
      else if (posting.path === file.path) postings.set(name, file)
      else postings.set(name, posting.path < file.path ? [posting, file] : [file, posting])
      return posting === undefined
    },
    names: () => postings.keys(),
    remove(name, path) {
      const posting = postings.get(name)
      if (posting === undefined) return
      const list = isList(posting) ? whole(name, posting) : [posting]
      const at = placeOf(list, path)
      if (list[at]?.path === path) list.splice(at, 1)
      const [only] = list
      if (only === undefined) postings.delete(name)
      else if (list.length === 1) postings.set(name, only)
    },
    *counts() {
      for (const [name, posting] of postings) yield [name, isList(posting) ? whole(name, posting).length : 1] as const
    },
  }

  function put(name: string, list: File[], file: File): void {
    // During a build, files mostly come in order.
    if ((list.at(-1)?.path ?? '') < file.path) {
      if (list.length < SHORT) postings.set(name, [...list, file])
      else list.push(file)
    } else if (list.length < LONG) insertByPath(list, file)
    else {
      const more = late.get(name)
      if (more) more.push(file)
      else late.set(name, [file])
    }
  }

  function whole(name: string, list: File[]): File[] {
    const more = late.get(name)
    if (!more) return list
    late.delete(name)
    if (more.length * LONG >= list.length) {
      const all = mergeLists(list, more)
      postings.set(name, all)
      return all
    }
    for (const file of more) insertByPath(list, file)
    return list
  }
}

const isList = <File>(posting: File | File[]): posting is File[] => Array.isArray(posting)

/** Merges two lists in path order; the later of two entries with one path wins. */
function mergeLists<File extends { readonly path: string }>(list: readonly File[], late: readonly File[]): File[] {
  const all: File[] = []
  const inPathOrder = late.toSorted((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0))
  let at = 0
  for (const file of inPathOrder) {
    while (at < list.length && (list[at]?.path ?? '') < file.path) all.push(list[at++] as File)
    if (list[at]?.path === file.path) at++
    if (all.at(-1)?.path === file.path) all.pop()
    all.push(file)
  }
  while (at < list.length) all.push(list[at++] as File)
  return all
}

/** Inserts a file in order, and replaces one with the same path. */
export function insertByPath<File extends { readonly path: string }>(list: File[], file: File): void {
  const at = placeOf(list, file.path)
  list.splice(at, list[at]?.path === file.path ? 1 : 0, file)
}

/** Returns the index of the first file whose path is not before this one. */
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
