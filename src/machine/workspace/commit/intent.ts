import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto'
import { isCanonical, parentOf } from '../path.ts'
import type { Identity } from '../workspace.ts'

/** One operation in an intent: enough to continue, to roll back, and to undo later. */
export type Step =
  | {
      readonly kind: 'put'
      readonly path: string
      readonly mode: number
      readonly base: 'absent' | Identity
      /** The new file, prepared in the commit's own directory. */
      readonly made: Identity
      /** sha256 of the new content; of an index without the file status that git refreshes. */
      readonly hash: string
    }
  | { readonly kind: 'delete'; readonly path: string; readonly base: Identity }
  | {
      readonly kind: 'move'
      readonly from: string
      readonly to: string
      readonly base: Identity
      readonly mode?: number
      readonly directory?: true
      /** sha256 of the moved content; absent for directories and for unreadable files. */
      readonly hash?: string
    }
  | { readonly kind: 'mode'; readonly path: string; readonly mode: number; readonly base: Identity }
  | { readonly kind: 'mkdir'; readonly path: string; readonly mode: number; readonly ino: bigint }
  | { readonly kind: 'rmdir'; readonly path: string; readonly mode: number; readonly ino: bigint }

/** A commit's plan. Once it has its name, it will be carried out. */
export interface Intent {
  readonly id: string
  readonly at: number
  /** Start time of the command that made it, if that also changed the repository. */
  readonly since?: number
  /** The commit that this one undoes, or several. */
  readonly undoes?: string | readonly string[]
  readonly steps: readonly Step[]
}

/**
 * Reports whether a step changes every directory first by a rename into the commit's directory or out of it. Such a
 * rename lasts in both directories or in neither, and a directory loses its latest changes first: if any of the step
 * lasts, so does the older name of the intent.
 */
export function restsOnIntent(step: Step): boolean {
  if (step.kind === 'put') return step.base !== 'absent'
  // A file is linked to its new name, which in another directory lasts without the rename.
  if (step.kind === 'move')
    return step.mode === undefined && (step.directory === true || parentOf(step.from) === parentOf(step.to))
  return step.kind !== 'mode'
}

/** Returns all paths that a commit touches, in the order of its steps. */
export const pathsOf = (steps: readonly Step[]): string[] => [
  ...new Set(steps.flatMap(step => (step.kind === 'move' ? [step.from, step.to] : [step.path]))),
]

/**
 * Encodes the intent with a keyed hash. The key lies outside the workspace: if the store has to be inside, a writer
 * there cannot forge an intent.
 */
export function encodeIntent(intent: Intent, key: KeyObject): Buffer {
  const body = JSON.stringify(intent, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  return Buffer.from(`${hashOf(body, key)}\n${body}\n`)
}

/** Returns undefined if it is torn, damaged or not ours. */
export function decodeIntent(bytes: Buffer, key: KeyObject): Intent | undefined {
  const text = bytes.toString('utf8')
  const hash = text.slice(0, HASH_LENGTH)
  const body = text.slice(HASH_LENGTH + 1, -1)
  if (hash.length !== HASH_LENGTH || text !== `${hash}\n${body}\n`) return undefined
  if (!timingSafeEqual(Buffer.from(hashOf(body, key)), Buffer.from(hash.replace(/[^0-9a-f]/g, '-')))) return undefined
  const intent: Intent = JSON.parse(body, (name, value: unknown) => (BIG.has(name) ? BigInt(String(value)) : value))
  return pathsOf(intent.steps).every(isCanonical) ? intent : undefined
}

const HASH_LENGTH = 64
const BIG: ReadonlySet<string> = new Set(['ino', 'size', 'mtimeNs'])

const hashOf = (body: string, key: KeyObject): string => createHmac('sha256', key).update(body).digest('hex')
