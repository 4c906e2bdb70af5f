import type { DatabaseSync } from 'node:sqlite'
import { ensureInTime } from '../failure.ts'

/**
 * All vectors of one space in memory. An exact scan takes about two milliseconds for each thousand fixes, and gives the
 * cosine of every fix, which the ranking needs.
 */
export interface VectorScan {
  /** Takes in what was written since the last time, by whichever process; in time, or the rest with the next call. */
  refresh(dueAt?: number): void
  /** Returns the cosine of each fix, by row: that of its nearest vector. */
  similarities(query: Float32Array, isWanted?: (row: number) => boolean): Map<number, number>
  /** Returns the vectors of a fix. */
  vectorsOf(row: number): readonly Float32Array[]
  rows(): Iterable<number>
}

/** Vectors are read this many fixes at a time between two looks at the clock. */
const LOOK_EVERY = 100

interface Slots {
  readonly start: number
  readonly count: number
}

export function openVectorScan(database: DatabaseSync, space: number, dimension: number): VectorScan {
  const counter = database.prepare('SELECT change FROM counter')
  const writtenSince = database.prepare(
    'SELECT row, change, vectors FROM vectors WHERE space = ? AND change > ? ORDER BY change',
  )
  const removedSince = database.prepare('SELECT row FROM removed WHERE change > ?')
  let data = new Float32Array(0)
  let usedSlots = 0
  let lastChange = 0
  const slots = new Map<number, Slots>()

  /** Vectors of changed fixes stay behind as dead weight until it is as much as the rest. */
  const compact = (): void => {
    const live = [...slots.values()].reduce((sum, { count }) => sum + count, 0)
    if (usedSlots < 64 || live * 2 > usedSlots) return
    const fresh = new Float32Array(live * dimension)
    usedSlots = 0
    for (const [row, { start, count }] of slots) {
      fresh.set(data.subarray(start * dimension, (start + count) * dimension), usedSlots * dimension)
      slots.set(row, { start: usedSlots, count })
      usedSlots += count
    }
    data = fresh
  }
  const put = (row: number, vectors: Float32Array): void => {
    const count = vectors.length / dimension
    if ((usedSlots + count) * dimension > data.length) {
      const larger = new Float32Array(Math.max(64 * dimension, (usedSlots + count) * dimension * 2))
      larger.set(data)
      data = larger
    }
    data.set(vectors, usedSlots * dimension)
    slots.set(row, { start: usedSlots, count })
    usedSlots += count
  }

  return {
    refresh(dueAt) {
      const now = Number(counter.get()?.['change'])
      if (now === lastChange) return
      if (lastChange > 0) for (const { row } of removedSince.iterate(lastChange)) slots.delete(Number(row))
      let count = 0
      for (const { row, change, vectors } of writtenSince.iterate(space, lastChange)) {
        if (vectors instanceof Uint8Array) put(Number(row), floatsOf(vectors))
        lastChange = Number(change)
        if (++count % LOOK_EVERY === 0) ensureInTime(dueAt)
      }
      lastChange = now
      compact()
    },
    similarities(query, isWanted = () => true) {
      const similarities = new Map<number, number>()
      for (const [row, at] of slots) if (isWanted(row)) similarities.set(row, nearest(data, at, query))
      return similarities
    },
    vectorsOf(row) {
      const { start, count } = slots.get(row) ?? { start: 0, count: 0 }
      return Array.from({ length: count }, (_, at) =>
        data.subarray((start + at) * dimension, (start + at + 1) * dimension),
      )
    },
    rows: () => slots.keys(),
  }
}

/** The product with the nearest vector of a fix. */
function nearest(data: Float32Array, { start, count }: Slots, query: Float32Array): number {
  let best = -1
  for (let slot = start; slot < start + count; slot++) {
    const product = dot(data, slot * query.length, query)
    if (product > best) best = product
  }
  return best
}

/** Vectors have length 1: their product is the cosine. Four sums let the processor work on four at once. */
export function dot(data: Float32Array, from: number, query: Float32Array): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  const end = query.length
  const whole = end - (end % 4)
  for (let at = 0; at < whole; at += 4) {
    a += (data[from + at] as number) * (query[at] as number)
    b += (data[from + at + 1] as number) * (query[at + 1] as number)
    c += (data[from + at + 2] as number) * (query[at + 2] as number)
    d += (data[from + at + 3] as number) * (query[at + 3] as number)
  }
  for (let at = whole; at < end; at++) a += (data[from + at] as number) * (query[at] as number)
  return a + b + c + d
}

/** A copy only if the bytes do not lie where 32-bit numbers may. */
const floatsOf = (bytes: Uint8Array): Float32Array =>
  bytes.byteOffset % 4 === 0
    ? new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    : new Float32Array(Uint8Array.from(bytes).buffer)

/** The vectors of one fix as they are stored. */
export function bytesOf(vectors: readonly Float32Array[]): Uint8Array {
  const all = new Float32Array(vectors.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const vector of vectors) {
    all.set(vector, at)
    at += vector.length
  }
  return new Uint8Array(all.buffer)
}
