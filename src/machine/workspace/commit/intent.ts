import { createHmac, timingSafeEqual } from 'node:crypto'
import { isCanonical } from '../path.ts'
import type { Identity } from '../workspace.ts'

/** One operation as the intent remembers it: enough to go forward, to go back, and to be undone later. */
export type Step =
  | {
      readonly kind: 'put'
      readonly path: string
      readonly mode: number
      readonly base: 'absent' | Identity
      /** The new file, as it lies ready in the commit's own directory. */
      readonly made: Identity
      /** sha256 of the new content. */
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
      /** sha256 of what was moved; absent for directories and where it could not be read. */
      readonly hash?: string
    }
  | { readonly kind: 'mode'; readonly path: string; readonly mode: number; readonly base: Identity }
  | { readonly kind: 'mkdir'; readonly path: string; readonly mode: number; readonly ino: bigint }
  | { readonly kind: 'rmdir'; readonly path: string; readonly mode: number; readonly ino: bigint }

/** What a commit is about to do; once it stands under its name, it will be done. */
export interface Intent {
  readonly id: string
  readonly at: number
  /** When the command began that made it, where that changed the repository as well. */
  readonly since?: number
  /** The commit that this one takes back. */
  readonly undoes?: string
  readonly steps: readonly Step[]
}

/** All paths that a commit touches, in the order of its steps. */
export const pathsOf = (steps: readonly Step[]): string[] => [
  ...new Set(steps.flatMap(step => (step.kind === 'move' ? [step.from, step.to] : [step.path]))),
]

/**
 * The intent and a keyed hash over it. The key lies outside the workspace: where the store had to be inside, nobody who
 * can write there can make us carry out an intent of theirs.
 */
export function encodeIntent(intent: Intent, key: Buffer): Buffer {
  const body = JSON.stringify(intent, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  return Buffer.from(`${hashOf(body, key)}\n${body}\n`)
}

/** Undefined if it is torn, damaged or not ours. */
export function decodeIntent(bytes: Buffer, key: Buffer): Intent | undefined {
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

const hashOf = (body: string, key: Buffer): string => createHmac('sha256', key).update(body).digest('hex')
