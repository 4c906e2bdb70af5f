import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { ToolError } from '../../kernel/error.ts'
import { openLock } from './lock.ts'
import { makePrivateDirectory, readOwnFile, writePrivateFile } from './private-file.ts'

const Denial = z.strictObject({
  id: z.string().min(1),
  /** A permission string; the rule denies what it says. */
  deny: z.string().min(1),
  scope: z.enum(['workspace', 'user']),
  by: z.string().min(1),
  at: z.iso.datetime(),
  enabled: z.boolean(),
  why: z.string().optional(),
})

const File = z.strictObject({ version: z.literal(1), denials: z.array(Denial) })

/** A rule that a person stored to deny something. It never expires. */
export type StoredDenial = Readonly<z.infer<typeof Denial>>

/** Stored deny rules of one file. */
export interface Denials {
  /** Returns the same list until something changes. */
  list(): readonly StoredDenial[]
  /** Returns why the file is unusable; nothing can be changed until it is repaired. */
  problem(): ToolError | undefined
  add(denial: Omit<StoredDenial, 'id'>): StoredDenial
  /** Returns false for an unknown rule. */
  remove(id: string): boolean
  setEnabled(id: string, on: boolean): boolean
}

/**
 * Opens a file of deny rules, created with the first one. Outside edits while it is open can only add: a rule that
 * another process removes, changes or switches off holds here until the next opening.
 */
export function openDenials(file: string, options: { readonly lock: string }): Denials {
  const denialsById = new Map<string, StoredDenial>()
  let lastStamp: string | undefined
  let problem: ToolError | undefined
  let allDenials: readonly StoredDenial[] = []

  const list = (): readonly StoredDenial[] => {
    const stamp = stampOf(file)
    if (stamp === lastStamp) return allDenials
    lastStamp = stamp
    problem = undefined
    let denialsOnDisk: readonly StoredDenial[] = []
    try {
      denialsOnDisk = stamp === '' ? [] : read(file)
    } catch (cause) {
      if (!(cause instanceof ToolError)) throw cause
      problem = cause
    }
    for (const denial of denialsOnDisk) if (!denialsById.get(denial.id)?.enabled) denialsById.set(denial.id, denial)
    const changedDenials = denialsOnDisk.filter(
      one => JSON.stringify(denialsById.get(one.id)) !== JSON.stringify(one) && one.enabled,
    )
    allDenials = [...denialsById.values(), ...changedDenials.map(one => ({ ...one, id: `${one.id} as changed` }))]
    return allDenials
  }

  const change = (work: (all: readonly StoredDenial[]) => readonly StoredDenial[]): boolean => {
    makePrivateDirectory(dirname(file))
    const lock = openLock(options.lock)
    try {
      return lock.run(() => {
        const before = stampOf(file) === '' ? [] : read(file)
        const after = work(before)
        writePrivateFile(file, `${JSON.stringify(File.parse({ version: 1, denials: after }), null, 2)}\n`)
        lastStamp = undefined
        return JSON.stringify(after) !== JSON.stringify(before)
      })
    } finally {
      lock.close()
    }
  }

  return {
    list,
    problem: () => (list(), problem),
    add(denial) {
      const newDenial = { ...denial, id: randomUUID().slice(0, 8) }
      change(all => [...all, newDenial])
      return newDenial
    },
    remove(id) {
      const isRemoved = change(all => all.filter(one => one.id !== id))
      denialsById.delete(id)
      return isRemoved
    },
    setEnabled(id, enabled) {
      const isChanged = change(all => all.map(one => (one.id === id ? { ...one, enabled } : one)))
      denialsById.delete(id)
      return isChanged
    },
  }
}

function read(file: string): readonly StoredDenial[] {
  try {
    return File.parse(JSON.parse(readOwnFile(file, true).toString('utf8'))).denials
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause)
    throw new ToolError('io', `The deny rules in ${file} cannot be used: ${reason}`, {
      hint: 'Repair the file or delete it; until then every call asks, because a rule in it may deny it.',
      cause,
    })
  }
}

function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}` : ''
}
