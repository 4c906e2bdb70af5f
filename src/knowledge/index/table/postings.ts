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

/** A list, and additions that are merged on first use. */
interface Posting<File> {
  list: File[]
  late: File[]
}

/** In a longer list, additions out of order are collected, because each insertion moves the rest. */
const LONG = 256

export function createPostings<File extends { readonly path: string }>(): Postings<File> {
  const postings = new Map<string, Posting<File>>()
  return {
    get(name) {
      const posting = postings.get(name)
      return posting ? whole(posting) : []
    },
    add(name, file) {
      const posting = postings.get(name)
      if (!posting) postings.set(name, { list: [file], late: [] })
      else put(posting, file)
      return !posting
    },
    names: () => postings.keys(),
    remove(name, path) {
      const posting = postings.get(name)
      if (!posting) return
      const list = whole(posting)
      const at = placeOf(list, path)
      if (list[at]?.path === path) list.splice(at, 1)
      if (list.length === 0) postings.delete(name)
    },
    *counts() {
      for (const [name, posting] of postings) yield [name, whole(posting).length] as const
    },
  }
}

function put<File extends { readonly path: string }>({ list, late }: Posting<File>, file: File): void {
  // During a build, files mostly come in order.
  if ((list.at(-1)?.path ?? '') < file.path) list.push(file)
  else if (list.length < LONG) insertByPath(list, file)
  else late.push(file)
}

function whole<File extends { readonly path: string }>(posting: Posting<File>): File[] {
  const { list, late } = posting
  if (late.length === 0) return list
  if (late.length * LONG < list.length) for (const file of late) insertByPath(list, file)
  else posting.list = merged(list, late)
  posting.late = []
  return posting.list
}

/** Merges two lists in path order; the later of two entries with one path wins. */
function merged<File extends { readonly path: string }>(list: readonly File[], late: readonly File[]): File[] {
  const all: File[] = []
  const sorted = late.toSorted((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0))
  let at = 0
  for (const file of sorted) {
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
