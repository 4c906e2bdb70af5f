import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWN } from './places.ts'

/** Ways to bring a host file into the sandbox. */
export interface FileSource {
  /** Returns a descriptor to copy from, or undefined if the file has to be bound. */
  file(path: string): number | undefined
  /** Returns an executable but unreadable copy, to be bound. */
  unreadable(path: string): string
}

interface Way {
  readonly userNamespace: boolean
}

const SHELL = '/bin/sh'
const UNREADABLE = join(OWN, 'sh')

/**
 * The shell that is the first process inside. Its file is unreadable inside, because the kernel forbids tracing a
 * program with an unreadable file, or taking its descriptors. Root's way without a user namespace uses no such shell:
 * we could not inspect it ourselves.
 */
export const firstShell = ({ userNamespace }: Way): string => (userNamespace ? UNREADABLE : SHELL)

/** Options that put it there. */
export function firstShellOptions({ userNamespace }: Way, source: FileSource): string[] {
  if (!userNamespace) return []
  const fd = source.file(SHELL)
  return fd === undefined
    ? ['--ro-bind', source.unreadable(SHELL), UNREADABLE]
    : ['--perms', UNREADABLE_MODE.toString(8).padStart(4, '0'), '--file', String(fd), UNREADABLE]
}

/** Creates a copy that every user may run and no user may read, for a mount. */
export function unreadableCopy(file: string): { readonly path: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-shell-'))
  const path = join(directory, 'sh')
  copyFileSync(file, path)
  chmodSync(path, UNREADABLE_MODE)
  chmodSync(directory, 0o711)
  return { path, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

const UNREADABLE_MODE = 0o111
