import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ToolError } from '../../kernel/error.ts'
import { once } from '../../kernel/once.ts'
import { makePrivateDirectory, syncDirectory, writePrivateFile } from '../state/private-file.ts'
import { errnoOf } from './disk-error.ts'
import { hashOf, type DiskState } from './disk.ts'
import { isCanonical } from './path.ts'
import type { State } from './staged.ts'
import { createStaging, type Staging } from './staging.ts'

/** The file that lists staged changes; replaced as a whole. */
export const MANIFEST = 'manifest.json'
const CONTENT = 'content'

/** Stores staged changes in a directory atomically: a loader finds the previous state or all of this. */
export function saveStaging(directory: string, staging: Staging): void {
  const content = join(directory, CONTENT)
  makePrivateDirectory(content)
  const entries = staging.entries()
  const storedHashes = new Set(readdirSync(content))
  const neededContents = new Map(
    entries.flatMap(([, { state }]) => ('bytes' in state ? [[state.hash, state.bytes] as const] : [])),
  )
  for (const [hash, bytes] of neededContents) if (!storedHashes.has(hash)) writePrivateFile(join(content, hash), bytes)
  const manifest = entries.map(([path, { base, state }]) => ({ path, base: packBase(base), state: packState(state) }))
  writePrivateFile(join(directory, MANIFEST), JSON.stringify({ version: 1, entries: manifest }))
  // Only now, when nothing references them any more.
  for (const name of storedHashes) if (!neededContents.has(name)) rmSync(join(content, name), { force: true })
  syncDirectory(directory)
}

/**
 * Returns the changes stored by `saveStaging`, or undefined if nothing is stored. Refuses a damaged store as a whole.
 */
export function loadStaging(directory: string): Staging | undefined {
  const text = readText(join(directory, MANIFEST))
  if (text === undefined) return undefined
  const staging = createStaging()
  for (const { path, base, state } of parse(directory, text))
    staging.set(path, base, state.type === 'file' && 'content' in state ? withBytes(directory, state) : state)
  return staging
}

function withBytes(directory: string, { type, hash: expected, mode: bits, movedFrom }: Content): State {
  const file = join(directory, CONTENT, expected)
  let bytes: Buffer
  let stagedMs: number
  try {
    bytes = readFileSync(file)
    stagedMs = Math.floor(statSync(file).mtimeMs)
  } catch (error) {
    throw damagedError(directory, `the content ${expected} is missing`, error)
  }
  if (hashOf(bytes) !== expected) throw damagedError(directory, `the content ${expected} was changed`)
  return { type, bytes, hash: expected, mode: bits, stagedMs, ...(movedFrom !== undefined && { movedFrom }) }
}

function parse(directory: string, text: string): Packed[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw damagedError(directory, 'its manifest is not JSON', error)
  }
  const manifest = schemas().manifest.safeParse(value)
  if (manifest.success) return manifest.data.entries
  const [issue] = manifest.error.issues
  throw damagedError(
    directory,
    `its manifest is wrong at ${issue?.path.join('.') ?? 'the top'}: ${issue?.message ?? ''}`,
  )
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const damagedError = (directory: string, what: string, cause?: unknown): ToolError =>
  new ToolError('io', `The staged changes kept in ${directory} are damaged: ${what}`, {
    hint: 'None of them has landed. Roll the transaction back, or delete that directory, and stage the changes again.',
    cause,
  })

/** Built on first load: few calls are in a transaction. */
const schemas = once(() => {
  const hash = z.string().regex(/^[0-9a-f]{64}$/)
  const path = z.string().refine(isCanonical, 'not a canonical path')
  const mode = z.int().min(0).max(0o7777)
  const bigint = z
    .string()
    .regex(/^\d{1,20}$/)
    .transform(BigInt)
  const identity = z.strictObject({ ino: bigint, size: bigint, mtimeNs: bigint, mode })
  const target = z.string().min(1)

  const absent = z.strictObject({ type: z.literal('absent') })
  const content = z.strictObject({
    type: z.literal('file'),
    content: z.literal(true),
    hash,
    mode,
    movedFrom: path.optional(),
  })
  const manifest = z.strictObject({
    version: z.literal(1),
    entries: z.array(
      z.strictObject({
        path,
        base: z.union([
          absent,
          z.strictObject({ type: z.literal('directory') }),
          z.strictObject({ type: z.literal('file'), identity, hash }),
          z.strictObject({ type: z.literal('symlink'), identity, target }),
        ]),
        state: z.union([
          absent,
          z.strictObject({ type: z.literal('directory'), mode }),
          content,
          z.strictObject({ type: z.literal('file'), source: path, identity, hash, mode }),
          z.strictObject({ type: z.literal('symlink'), source: path, identity, target }),
          z.strictObject({ type: z.literal('symlink'), target }),
        ]),
      }),
    ),
  })
  return { manifest, content }
})

type Packed = z.output<ReturnType<typeof schemas>['manifest']>['entries'][number]
type Content = z.output<ReturnType<typeof schemas>['content']>

const packBase = (base: DiskState) =>
  base.type === 'file'
    ? { type: base.type, hash: base.hash, identity: packIdentity(base.identity) }
    : base.type === 'symlink'
      ? { ...base, identity: packIdentity(base.identity) }
      : base

function packState(state: State): object {
  if ('identity' in state) return { ...state, identity: packIdentity(state.identity) }
  if (!('bytes' in state)) return state
  const { bytes: _bytes, stagedMs: _ms, ...rest } = state
  return { ...rest, content: true }
}

const packIdentity = ({
  ino,
  size,
  mtimeNs,
  mode: bits,
}: {
  ino: bigint
  size: bigint
  mtimeNs: bigint
  mode: number
}) => ({
  ino: String(ino),
  size: String(size),
  mtimeNs: String(mtimeNs),
  mode: bits,
})
