import type { IndexJob, Indexed } from '../indexer.ts'
import type { SectionStore } from '../section-store.ts'
import type { Position, Section } from '../section-types.ts'
import { readSections } from './read-sections.ts'

const START: Position = { file: 0, section: 0, size: 0 }
/** What one transaction writes: some 50 ms, which is also what is lost if the process ends. */
const MOST_SECTIONS = 100
const MOST_TEXT = 200_000

/** Reads a package on from where it is, until it is whole or its time is over. Every part that was read is stored. */
export function indexPart(store: SectionStore, job: Extract<IndexJob, { kind: 'files' }>): Indexed {
  const { package: of, root, files, sliceMs } = job
  const until = Date.now() + sliceMs
  // Another process may have been faster.
  if (store.packages().get(of.key) === of.stamp) return 'done'
  const unfinishedPart = store.unfinished().find(({ key, stamp }) => key === of.key && stamp === of.stamp)
  if (unfinishedPart && unfinishedPart.files !== undefined && unfinishedPart.files !== files.length)
    store.remove([of.key])
  if (!unfinishedPart || unfinishedPart.files !== files.length) store.begin(of)
  let from = unfinishedPart && unfinishedPart.files === files.length ? positionOf(unfinishedPart) : START
  let [part, size]: [Section[], number] = [[], 0]
  const isStored = from === START ? () => false : (section: Section) => store.has(of.key, section)
  for (const { section, next } of readSections(root, files, { from, isStored })) {
    if (section) part.push(section)
    size += section?.body.length ?? 0
    const isLate = Date.now() > until
    // A late one still fills its part or ends its file, because the next job reads the file again.
    if (part.length < MOST_SECTIONS && size < MOST_TEXT && !(isLate && !section)) continue
    if (!store.append(of, { files: files.length, from, sections: part, to: next })) return 'elsewhere'
    ;[from, part, size] = [next, [], 0]
    if (isLate) return 'more'
  }
  return store.append(of, { files: files.length, from, sections: part }) ? 'done' : 'elsewhere'
}

const positionOf = ({ file, section, size }: Position): Position => ({ file, section, size })
