/** Files by a name, each list in the order of paths. */
interface Postings<File extends { readonly path: string }> {
  get(name: string): readonly File[]
  /** Says whether nothing had this name before. */
  add(name: string, file: File): boolean
  remove(name: string, path: string): void
  names(): Iterable<string>
  /** How many files each name has. */
  counts(): IterableIterator<readonly [string, number]>
}

/** A list, and what is to be put into it once somebody wants to see it. */
interface Posting<File> {
  list: File[]
  late: File[]
}

/** In a longer list a file that comes out of order waits for others, because everything behind it has to move. */
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
  // Files come in order while the index is built, mostly.
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

/** Both in the order of paths; of two with one path the later. */
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

/** Puts a file where it belongs, in place of the one that was there. */
export function insertByPath<File extends { readonly path: string }>(list: File[], file: File): void {
  const at = placeOf(list, file.path)
  list.splice(at, list[at]?.path === file.path ? 1 : 0, file)
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
