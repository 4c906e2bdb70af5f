import type { AttachedSegment, Packed, Taken } from './messages.ts'
import { FILE_FIELDS, segmentBytes, type Segment } from './segment.ts'

/** A segment with what the opener of the index knows of it. */
export interface HeldSegment {
  segment: Segment
  readonly taken: Taken[]
  /** Bytes of text in it, dead or alive, and of them those that are alive. */
  textBytes: number
  liveBytes: number
  bytes: number
  /** Its file in the cache. */
  file: string | undefined
}

/** Which segment has the contents of which path now. */
export interface SegmentStore {
  readonly held: Map<number, HeldSegment>
  /** Makes what was packed the contents of its paths; what they had before is dead. */
  adopt(packed: Packed): HeldSegment
  /** The same with contents in a segment that only needs to be told which of its files are alive. */
  revive(held: HeldSegment, file: number, pathId: number): void
  remove(pathId: number): void
  /** How often contents came or died so far: a search during which it grew may have missed some, or seen half of them. */
  version(): number
  replace(segment: Segment): void
  drop(id: number): void
  isPresent(pathId: number): boolean
  present(): Uint8Array
  count(): number
  bytes(): { readonly text: number; readonly all: number }
  attached(): readonly AttachedSegment[]
}

export function segmentStore(): SegmentStore {
  const held = new Map<number, HeldSegment>()
  /** By number of path: the segment and the place in it, or -1. */
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
    const old = held.get(id)
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
    held,
    remove,
    version: () => version,
    revive: put,
    adopt({ segment, taken, counts, bytes, textBytes }) {
      const one = held.get(segment.id) ?? { segment, taken: [], textBytes: 0, liveBytes: 0, bytes: 0, file: undefined }
      held.set(segment.id, one)
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
      const one = held.get(segment.id)
      if (!one) return
      one.segment = segment
      one.bytes = segmentBytes(segment, one.textBytes)
    },
    drop: id => void held.delete(id),
    isPresent: pathId => present[pathId] === 1,
    present: () => present,
    count: () => count,
    bytes() {
      let [text, all] = [0, 0]
      for (const { segment, textBytes, bytes } of held.values()) {
        if (segment.text) text += textBytes
        all += bytes
      }
      return { text, all }
    },
    attached: () =>
      [...held.values()].map(({ segment, taken }) =>
        segment.text ? { segment } : { segment, files: taken.map(({ path, read }) => ({ path, stamp: read })) },
      ),
  }
}
