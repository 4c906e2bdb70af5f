import type { AttachedSegment, Packed, Taken } from './messages.ts'
import { FILE_FIELDS, hasText, segmentBytes, type Segment } from './segment.ts'

/** A segment with the data the opener of the index keeps on it. */
export interface HeldSegment {
  segment: Segment
  readonly taken: Taken[]
  /** Bytes of text, dead or live, and of live text only. */
  textBytes: number
  liveBytes: number
  bytes: number
  /** Its file in the cache. */
  file: string | undefined
}

/** Maps each path to the segment with its current contents. */
export interface SegmentStore {
  readonly held: Map<number, HeldSegment>
  /** Makes the packed files the contents of their paths. Earlier contents become dead. */
  adopt(packed: Packed): HeldSegment
  /** Does the same for contents in an existing segment, which only marks the file as live. */
  revive(held: HeldSegment, file: number, pathId: number): void
  remove(pathId: number): void
  /**
   * Number of changes to contents so far. A search during which it grew may have missed some or seen partial contents.
   */
  version(): number
  replace(segment: Segment): void
  drop(id: number): void
  isPresent(pathId: number): boolean
  present(): Uint8Array
  count(): number
  /** Bytes of texts, those of them that are stored, and all bytes in memory. */
  bytes(): { readonly text: number; readonly stored: number; readonly all: number }
  attached(): readonly AttachedSegment[]
}

export function segmentStore(): SegmentStore {
  const segmentsById = new Map<number, HeldSegment>()
  /** By path number: the segment and the position in it, or -1. */
  let places = new Int32Array(2048).fill(-1)
  let present = new Uint8Array(1024)
  let [count, version] = [0, 0]

  const grow = (pathId: number): void => {
    if (pathId < present.length) return
    const size = Math.max(pathId + 1, present.length * 2)
    const [morePlaces, morePresent] = [new Int32Array(size * 2).fill(-1), new Uint8Array(size)]
    morePlaces.set(places)
    morePresent.set(present)
    places = morePlaces
    present = morePresent
  }

  const remove = (pathId: number): void => {
    if (present[pathId] !== 1) return
    const [id, file] = [places[pathId * 2] ?? -1, places[pathId * 2 + 1] ?? -1]
    const old = segmentsById.get(id)
    if (old) {
      old.segment.live[file] = 0
      old.liveBytes -= old.segment.files[file * FILE_FIELDS + 1] ?? 0
    }
    present[pathId] = 0
    count--
    version++
  }

  const put = (one: HeldSegment, file: number, pathId: number): void => {
    grow(pathId)
    remove(pathId)
    one.segment.pathIds[file] = pathId
    one.segment.live[file] = 1
    one.liveBytes += one.segment.files[file * FILE_FIELDS + 1] ?? 0
    places[pathId * 2] = one.segment.id
    places[pathId * 2 + 1] = file
    present[pathId] = 1
    count++
  }

  return {
    held: segmentsById,
    remove,
    version: () => version,
    revive: put,
    adopt({ segment, taken, counts, bytes, textBytes }) {
      const one = segmentsById.get(segment.id) ?? {
        segment,
        taken: [],
        textBytes: 0,
        liveBytes: 0,
        bytes: 0,
        file: undefined,
      }
      segmentsById.set(segment.id, one)
      let file = one.taken.length
      one.bytes = bytes
      one.textBytes = textBytes
      one.segment.counts.set(counts)
      version++
      for (const each of taken) {
        one.taken.push(each)
        put(one, file++, each.pathId)
      }
      return one
    },
    replace(segment) {
      const one = segmentsById.get(segment.id)
      if (!one) return
      one.segment = segment
      one.bytes = segmentBytes(segment, one.textBytes)
    },
    drop: id => void segmentsById.delete(id),
    isPresent: pathId => present[pathId] === 1,
    present: () => present,
    count: () => count,
    bytes() {
      let [text, storedBytes, all] = [0, 0, 0]
      for (const { segment, textBytes, bytes } of segmentsById.values()) {
        if (hasText(segment)) text += textBytes
        if (segment.stored) storedBytes += textBytes
        all += bytes
      }
      return { text, stored: storedBytes, all }
    },
    attached: () =>
      [...segmentsById.values()].map(({ segment, taken }) =>
        hasText(segment) ? { segment } : { segment, files: taken.map(({ path, read }) => ({ path, stamp: read })) },
      ),
  }
}
