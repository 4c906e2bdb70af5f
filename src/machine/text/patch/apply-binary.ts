import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { ToolError } from '../../../kernel/error.ts'
import { show } from '../../workspace/path.ts'
import { applyDelta, deltaResultSize } from './git-delta.ts'
import { stricter } from './patch-error.ts'
import type { BinaryChange, BinaryData } from './patch-types.ts'

/** Shared size limit for all binary files of one patch, so that a small patch cannot fill the memory. */
export interface BinaryRoom {
  bytes: number
}

export const binaryRoom = (): BinaryRoom => ({ bytes: 256 * 1024 * 1024 })

interface Section {
  readonly at: number
  readonly name: string
  /** The file does not exist yet. */
  readonly isNew: boolean
}

/** Returns a binary file's bytes after its change, as `git apply` does. Both contents must match their ids. */
export function applyBinary(before: Buffer, change: BinaryChange, section: Section, budget: BinaryRoom): Buffer {
  const { oldId, newId, data, backward } = change
  const { at, name, isNew } = section
  if (!isFull(oldId) || !isFull(newId) || oldId.length !== newId.length)
    throw stricter('binary', at, `the change of ${show(name)} has no full index line`, AGAIN)
  if (!isNew && nameOf(before, oldId) !== oldId.toLowerCase())
    throw new ToolError('no_match', `${show(name)} is not the file that the binary patch was made for`, {
      hint: 'Make the patch again from the file as it is.',
      details: { file: name, patchLine: at },
    })
  // Git reads both halves before it applies either.
  const [raw] = [data, backward].map(half => half && rawOf(half, section, budget))
  if (/^0+$/.test(newId)) return Buffer.alloc(0)
  if (data === undefined || raw === undefined)
    throw stricter('binary', at, `the change of ${show(name)} cannot be reversed: its other half is missing`, AGAIN)
  const newBytes = data.kind === 'literal' ? raw : fromDelta(before, raw, section, budget)
  if (nameOf(newBytes, newId) !== newId.toLowerCase())
    throw stricter('binary', at, `the data of ${show(name)} does not give the file that the index line names`, AGAIN)
  return newBytes
}

const AGAIN = 'Make the patch again with `git diff --binary`.'

const isFull = (id: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(id)

/** Returns git's id of a content; all ids of a repository have one length. */
const nameOf = (bytes: Buffer, like: string): string =>
  createHash(like.length === 40 ? 'sha1' : 'sha256')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex')

function rawOf(data: BinaryData, { at, name }: Section, room: BinaryRoom): Buffer {
  take(room, data.size, name)
  const raw = inflate(data)
  if (raw === undefined) throw stricter('binary', at, `the data of ${show(name)} is damaged`, AGAIN)
  return raw
}

function fromDelta(before: Buffer, delta: Buffer, { at, name }: Section, room: BinaryRoom): Buffer {
  take(room, deltaResultSize(delta) ?? 0, name)
  const newBytes = applyDelta(before, delta)
  if (newBytes === undefined) throw stricter('binary', at, `the delta of ${show(name)} does not fit the file`, AGAIN)
  return newBytes
}

/** Inflates to exactly the announced size, or returns undefined. */
function inflate({ deflated, size }: BinaryData): Buffer | undefined {
  try {
    const raw = inflateSync(deflated, { maxOutputLength: Math.max(size, 1) })
    return raw.length === size ? raw : undefined
  } catch {
    return undefined
  }
}

function take(room: BinaryRoom, bytes: number, name: string): void {
  room.bytes -= bytes
  if (room.bytes < 0)
    throw new ToolError('too_large', `The binary files of the patch are too large, ${show(name)} among them`, {
      hint: 'Split the patch.',
      details: { file: name },
    })
}
