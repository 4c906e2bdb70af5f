import { transcode } from 'node:buffer'
import { hash as sha256, randomBytes } from 'node:crypto'
import { closeSync, fdatasyncSync, openSync, renameSync, rmSync, statSync, utimesSync, type BigIntStats } from 'node:fs'
import { dirname, join } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import { once } from '../../kernel/once.ts'
import { makePrivateDirectory, readOwnFile, syncDirectory, writeWhole } from '../state/private-file.ts'

/** Content too large for a record, stored beside the journal under its hash. */
export interface Payloads {
  /** Returns its id: the first 16 hex digits of its sha256, more if another payload shares them. */
  put(content: Buffer | string, options?: { readonly durable?: boolean }): string
  /** Returns undefined for an unknown id. Throws `io` if the stored content does not match. */
  get(id: string): Buffer | undefined
  /** Returns its file, possibly compressed. */
  path(id: string): string | undefined
}

interface PayloadOptions {
  /** Called with the disk usage of a new payload. */
  readonly stored?: (bytes: number) => void
  readonly hash?: (bytes: Buffer) => string
}

const ID_LENGTHS = [16, 24, 32, 64]
const COMPRESS_ABOVE = 4096
const COMPRESSED = '.zst'

/** Loaded on demand: few calls compress anything, and loading takes as long as a whole call. */
const zlib = once(() => process.getBuiltinModule('node:zlib'))

export function openPayloads(dir: string, options: PayloadOptions = {}): Payloads {
  const { hash = bytes => sha256('sha256', bytes), stored = () => {} } = options
  const fileOf = (id: string): string => join(dir, id.slice(0, 2), id)

  const path = (id: string): string | undefined => {
    if (!/^[0-9a-f]{16,64}$/.test(id)) return undefined
    const plain = fileOf(id)
    return [plain + COMPRESSED, plain].find(file => statSync(file, { throwIfNoEntry: false }))
  }

  /** Returns undefined if the file's content does not match its name. */
  const load = (file: string, id: string): Buffer | undefined => {
    const bytes = readUnpacked(file)
    return bytes && hash(bytes).startsWith(id) ? bytes : undefined
  }

  /** The last payload that was found whole: an answer is often given twice, and its file is then not read again. */
  let last: { readonly whole: string; readonly id: string; readonly file: string; readonly state: string } | undefined

  const putAgain = (whole: string): string | undefined => {
    if (last?.whole !== whole) return undefined
    const { id, file, state } = last
    const stats = statsOf(file)
    if (!stats || stateIn(stats) !== state) return undefined
    if (renew(file, Number(stats.mtimeMs))) last = undefined
    return id
  }

  return {
    path,
    put(content, { durable = false } = {}) {
      const bytes = typeof content === 'string' ? utf8Of(content) : content
      const whole = hash(bytes)
      const again = durable ? undefined : putAgain(whole)
      if (again !== undefined) return again
      for (const length of ID_LENGTHS) {
        const id = whole.slice(0, length)
        const file = path(id)
        const stats = file === undefined ? undefined : statsOf(file)
        const there = file && load(file, id)
        if (there && !there.equals(bytes)) continue
        if (file && there) {
          const state = stats && stateIn(stats)
          last =
            renew(file, Number(stats?.mtimeMs ?? 0)) || state === undefined ? undefined : { whole, id, file, state }
        } else {
          if (file) rmSync(file)
          stored(store(fileOf(id), bytes, durable))
        }
        return id
      }
      throw new ToolError('internal', `Two different payloads have the sha256 ${whole}.`)
    },
    get(id) {
      const file = path(id)
      if (!file) return undefined
      const bytes = load(file, id)
      if (bytes) return bytes
      throw new ToolError('io', `The stored payload ${id} is damaged.`, {
        hint: 'Its content is lost; run the call again.',
      })
    },
  }
}

/** The engine holds such a text in two bytes a character, and takes five times as long to encode it itself. */
const wide = /[^\0-\u00ff]/

function utf8Of(text: string): Buffer {
  if (text.length < COMPRESS_ABOVE || !wide.test(text)) return Buffer.from(text)
  try {
    return transcode(Buffer.from(text, 'utf16le'), 'utf16le', 'utf8')
  } catch {
    // Half a character.
    return Buffer.from(text)
  }
}

/** Returns its disk usage. */
function store(plain: string, bytes: Buffer, durable: boolean): number {
  const zstdBytes = bytes.length > COMPRESS_ABOVE ? zlib().zstdCompressSync(bytes) : bytes
  const file = zstdBytes.length < bytes.length ? plain + COMPRESSED : plain
  const content = zstdBytes.length < bytes.length ? zstdBytes : bytes
  const temporary = join(dirname(plain), `.${randomBytes(6).toString('hex')}`)
  makePrivateDirectory(dirname(plain))
  try {
    const fd = openSync(temporary, 'wx', 0o600)
    try {
      writeWhole(fd, content)
      if (durable) fdatasyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  if (durable) syncDirectory(dirname(plain))
  return content.length
}

function readUnpacked(file: string): Buffer | undefined {
  const bytes = readOwnFile(file)
  if (!file.endsWith(COMPRESSED)) return bytes
  try {
    return zlib().zstdDecompressSync(bytes)
  } catch {
    return undefined
  }
}

/** The clock of a file system may be as coarse as this. */
const TICK_MS = 100

const statsOf = (file: string): BigIntStats | undefined => statSync(file, { bigint: true, throwIfNoEntry: false })

/** Returns the identity of a file's content; undefined while a write now could leave the same one. */
function stateIn({ dev, ino, size, ctimeMs, ctimeNs }: BigIntStats): string | undefined {
  return Date.now() - Number(ctimeMs) < TICK_MS ? undefined : `${dev}:${ino}:${size}:${ctimeNs}`
}

/** Garbage collection is by age, so a repeated put renews it. Reports whether the file was too old. */
function renew(file: string, mtimeMs: number): boolean {
  const now = new Date()
  if (now.getTime() - mtimeMs < YOUNG_MS) return false
  utimesSync(file, now, now)
  return true
}

const YOUNG_MS = 60_000
