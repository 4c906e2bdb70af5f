import { hash } from 'node:crypto'

const MODULUS = 1n << 256n

/** An order-independent hash over a set of files, updated incrementally. */
export interface ContentSum {
  add(path: string, content: string): void
  remove(path: string, content: string): void
  copy(): ContentSum
  /** Returns the value with which another sum can continue. */
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
