import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWN } from './places.ts'

/** How a file of the host gets into the sandbox. */
export interface FileSource {
  /** A descriptor that it is copied from, or undefined if it has to be bound instead. */
  file(path: string): number | undefined
  /** A copy that may be run and not read, to be bound. */
  unreadable(path: string): string
}

interface Way {
  readonly userNamespace: boolean
}

const SHELL = '/bin/sh'
const UNREADABLE = join(OWN, 'sh')

/**
 * The shell that is the first process inside. Nobody inside may read its file, and the kernel lets nobody trace a
 * program, or take its descriptors, whose file they may not read. Root's own way in without a user namespace has none:
 * there we could not look at it ourselves.
 */
export const firstShell = ({ userNamespace }: Way): string => (userNamespace ? UNREADABLE : SHELL)

/** The words that put it there. */
export function firstShellOptions({ userNamespace }: Way, source: FileSource): string[] {
  if (!userNamespace) return []
  const fd = source.file(SHELL)
  return fd === undefined
    ? ['--ro-bind', source.unreadable(SHELL), UNREADABLE]
    : ['--perms', UNREADABLE_MODE.toString(8).padStart(4, '0'), '--file', String(fd), UNREADABLE]
}

/** A copy that everybody may run and nobody read, for a mount. */
export function unreadableCopy(file: string): { readonly path: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-shell-'))
  const path = join(directory, 'sh')
  copyFileSync(file, path)
  chmodSync(path, UNREADABLE_MODE)
  chmodSync(directory, 0o711)
  return { path, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

const UNREADABLE_MODE = 0o111
