import { hash } from 'node:crypto'

const MODULUS = 1n << 256n

/** A hash over a set of files that is brought up to date by what changed, whatever the order. */
export interface ContentSum {
  add(path: string, content: string): void
  remove(path: string, content: string): void
  copy(): ContentSum
  /** What one that goes on from here starts with. */
  value(): bigint
  text(): string
}

export function createContentSum(start = 0n): ContentSum {
  let sum = start
  return {
    add: (path, content) => void (sum = (sum + hashOf(path, content)) % MODULUS),
    remove: (path, content) => void (sum = (sum - hashOf(path, content) + MODULUS) % MODULUS),
    copy: () => createContentSum(sum),
    value: () => sum,
    text: () => hash('sha256', sum.toString(16)),
  }
}

const hashOf = (path: string, content: string): bigint => BigInt(`0x${hash('sha256', `${path}\0${content}`)}`)
