import { join } from 'node:path'
import { z } from 'zod'
import { ToolError } from '../../kernel/error.ts'
import { openLock } from './lock.ts'
import { realPlace } from './outside.ts'
import { OWN_CONFIG } from './config-file.ts'
import { ensureOwn, makePrivateDirectory, readOwnFile, writePrivateFile } from './private-file.ts'

const Hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a sha256 in hex')
const Pin = z.strictObject({ file: z.string().min(1), hash: Hash, by: z.string().min(1), at: z.iso.datetime() })
const File = z.strictObject({ version: z.literal(1), pins: z.array(Pin) })

/** A project's configuration file that the user trusts while its content stays the same. */
type TrustPin = Readonly<z.infer<typeof Pin>>

/** `changed`: the user trusted another content of this file. */
type Trust = 'trusted' | 'changed' | 'unknown'

/** Reports whether the user trusts a file with this content (its sha256). */
export function trustOf(configDir: string, file: string, hash: string): Trust {
  const pin = pinFor(listTrust(configDir), file)
  if (!pin) return 'unknown'
  return pin.hash === hash ? 'trusted' : 'changed'
}

/** Trusts this content of this file, replacing any other. */
export function pinTrust(configDir: string, file: string, hash: string, who: { by: string; at: string }): TrustPin {
  const pin = Pin.parse({ file: realPlace(file), hash, ...who })
  change(configDir, pins => [...pins.filter(other => other.file !== pin.file), pin])
  return pin
}

/** Returns false if the file was not trusted. */
export function unpin(configDir: string, file: string): boolean {
  const ownPin = pinFor(listTrust(configDir), file)
  if (!ownPin) return false
  change(configDir, pins => pins.filter(pin => pin.file !== ownPin.file))
  return true
}

/** Returns all trusted files. A damaged list is an error, never an empty one. */
export function listTrust(configDir: string): readonly TrustPin[] {
  const path = listOf(configDir)
  ensureOwn(path, OWN_CONFIG)
  try {
    return File.parse(JSON.parse(readOwnFile(path, true).toString('utf8'))).pins
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return []
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause)
    throw new ToolError('io', `The list of trusted files ${path} cannot be used: ${reason}`, {
      hint: 'Repair the file or delete it, then trust your projects again.',
      cause,
    })
  }
}

function pinFor(pins: readonly TrustPin[], file: string): TrustPin | undefined {
  const real = realPlace(file)
  return pins.find(pin => pin.file === real)
}

function change(configDir: string, work: (pins: readonly TrustPin[]) => readonly TrustPin[]): void {
  makePrivateDirectory(configDir)
  const lock = openLock(join(configDir, 'trust.lock'))
  try {
    lock.run(() => {
      const content = { version: 1, pins: work(listTrust(configDir)) }
      writePrivateFile(listOf(configDir), `${JSON.stringify(content, null, 2)}\n`)
    })
  } finally {
    lock.close()
  }
}

const listOf = (configDir: string): string => join(configDir, 'trust.json')
