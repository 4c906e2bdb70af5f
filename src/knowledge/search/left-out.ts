import type { Hides } from '../../kernel/hides.ts'
import type { IndexedSearch } from './indexed-search.ts'
import type { StagedOverlay } from './staged-overlay.ts'

export interface LeftOut {
  /** What the index is not to answer for. */
  readonly leaveOut: readonly string[]
  /** Those of them that rules keep from being read. */
  readonly hidden: readonly string[]
}

interface Rules {
  readonly mayRead: (path: string) => boolean
  readonly hides: Hides | undefined
  readonly staged: StagedOverlay | undefined
}

const NOTHING: LeftOut = { leaveOut: [], hidden: [] }
const touched = new WeakMap<readonly string[], WeakMap<Hides, readonly string[]>>()

/** The files that an index, which knows no rules and no staged changes, has to leave out; undefined where it cannot answer now. */
export async function leftOut(indexed: IndexedSearch, { mayRead, hides, staged }: Rules): Promise<LeftOut | undefined> {
  if (!hides && !staged) return NOTHING
  const files = await indexed.files()
  if (!files) return undefined
  const gone = staged ? files.filter(path => staged.hides(path)) : []
  const isGone = new Set(gone)
  const hidden = hides ? touchedBy(files, hides).filter(path => !isGone.has(path) && !mayRead(path)) : []
  return { leaveOut: [...gone, ...hidden], hidden }
}

/** The same rules are asked about the same files call after call: what no rule speaks of is found once. */
function touchedBy(files: readonly string[], hides: Hides): readonly string[] {
  const known = touched.get(files) ?? new WeakMap<Hides, readonly string[]>()
  touched.set(files, known)
  const some = known.get(hides) ?? files.filter(path => hides.matches(path))
  known.set(hides, some)
  return some
}
