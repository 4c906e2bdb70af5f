import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import { openRegular, openSeen, type OpenedFile } from '../../machine/workspace/disk.ts'
import type { Root } from '../../machine/workspace/root.ts'
import { comparePaths } from './path-order.ts'

interface LinkedFiles {
  /** A private directory with a link to each open file. */
  readonly path: string
  /** Returns the path in the workspace of one of its names. */
  pathOf(name: string): string
  release(): void
}

/**
 * Opens files through the held walk and links them in a private directory, in path order, for a program that goes by
 * names. Leaves out what is no regular file by now, and what only a link leads to.
 */
export function linkHeld(root: Root, paths: readonly string[]): LinkedFiles {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-search-'))
  const filesByName = new Map<string, { readonly path: string; readonly fd: number }>()
  const release = (): void => {
    for (const { fd } of filesByName.values()) root.sys.close(fd)
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    for (const path of paths.toSorted(comparePaths)) {
      const file = openInPlace(root, path)
      if (!file) continue
      const name = String(filesByName.size).padStart(DIGITS, '0')
      filesByName.set(name, { path, fd: file.fd })
      symlinkSync(`/proc/${process.pid}/fd/${file.fd}`, join(directory, name))
    }
    return { path: directory, pathOf: name => filesByName.get(name)?.path ?? '', release }
  } catch (error) {
    release()
    throw error
  }
}

/** Returns undefined if no regular file lies there, or only behind a link. */
function openInPlace(root: Root, path: string): OpenedFile | undefined {
  const unlinkedFile = openSeen(root, path)
  if (unlinkedFile) return unlinkedFile
  try {
    // Its name may be missing only because a commit is replacing the file.
    const location = root.resolve(path, { link: true })
    try {
      return location.rel === path ? openRegular(root, location) : undefined
    } finally {
      location.release()
    }
  } catch (error) {
    if (error instanceof ToolError) return undefined
    throw error
  }
}

/** So that names sort like numbers. */
const DIGITS = 6
