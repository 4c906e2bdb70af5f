import { closeSync } from 'node:fs'
import { linuxSys, type Sys } from '../../src/machine/workspace/sys.ts'

/** The process is gone: no code of the commit may run after this, and every later call throws it again. */
export class Crash extends Error {}

export type Call = keyof Sys

const READS: ReadonlySet<Call> = new Set<Call>([
  'close',
  'fstat',
  'hold',
  'list',
  'lstat',
  'openDirectory',
  'openFile',
  'read',
  'readlink',
  'rewriteFile',
  'whereIs',
])

export const changesDisk = (call: Call): boolean => !READS.has(call)

/** What a run did, as far as the protocol's own marks tell. */
export interface Marks {
  calls: number
  decided: boolean
  aborted: boolean
  sealed: boolean
}

export interface Faulty {
  readonly sys: Sys
  readonly marks: Marks
  /** Closes what the run left open, as the kernel does when a process dies. */
  drop(): void
}

/** System calls with a hook before each: it may throw, or act as another program. */
export function faulty(
  before: (number: number, call: Call, args: readonly unknown[]) => void,
  below: Sys = linuxSys,
): Faulty {
  const marks: Marks = { calls: 0, decided: false, aborted: false, sealed: false }
  const open = new Set<number>()
  const wrap = (call: Call) => {
    const real = below[call] as (...args: readonly unknown[]) => unknown
    return (...args: readonly unknown[]): unknown => {
      before(marks.calls++, call, args)
      const result = real(...args)
      if (call === 'rename') note(marks, args)
      if (OPENS.has(call)) open.add(result as number)
      if (call === 'close') open.delete(args[0] as number)
      return result
    }
  }
  const sys = Object.fromEntries(Object.keys(below).map(call => [call, wrap(call as Call)])) as unknown as Sys
  const drop = (): void => {
    for (const fd of open) closeSync(fd)
    open.clear()
  }
  return { sys, marks, drop }
}

const OPENS: ReadonlySet<Call> = new Set<Call>(['openDirectory', 'openFile', 'createFile', 'rewriteFile', 'hold'])

function note(marks: Marks, args: readonly unknown[]): void {
  if (args[3] === 'intent') marks.decided = true
  if (args[3] === 'abort') marks.aborted = true
  if (args[3] === 'done') marks.sealed = true
}

/** Dies at the call of this number; with `all` every call counts, otherwise only those that change the disk. */
export function crashing(at: number, all: boolean, below?: Sys): Faulty & { dead: boolean } {
  let counted = 0
  const made = {
    ...faulty((_, call) => {
      if (!made.dead && (all || changesDisk(call)) && counted++ === at) made.dead = true
      if (made.dead) throw new Crash(`died before ${call}`)
    }, below),
    dead: false,
  }
  return made
}

/** The same calls without waiting for the disk: what a crash of the process alone leaves does not depend on it. */
export const unsynced: Sys = { ...linuxSys, sync() {}, syncDirectory() {} }

export const systemError = (errno: string): Error => Object.assign(new Error(`${errno}: injected`), { code: errno })
