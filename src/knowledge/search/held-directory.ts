import { notFound } from '../../machine/workspace/disk.ts'
import { diskError } from '../../machine/workspace/disk-error.ts'
import { onDisk } from '../../machine/workspace/name.ts'
import type { Root } from '../../machine/workspace/root.ts'

export interface HeldDirectory {
  /** Leads to this directory even if its name changes. */
  readonly path: string
  /** The workspace that it is part of. */
  readonly root: Root
  release(): void
}

/** Holds a directory of the workspace for a program started in it, so that no one can swap it for another. */
export function holdDirectory(root: Root, directory: string): HeldDirectory {
  const { sys } = root
  const location = root.resolve(directory)
  try {
    if (location.missing.length > 0) throw notFound(location.rel)
    const fd = location.name === undefined ? root.fd : sys.openDirectory(location.dir, onDisk(location.name))
    const release = () => void (fd !== root.fd && sys.close(fd))
    return { path: `/proc/${process.pid}/fd/${fd}`, root, release }
  } catch (error) {
    throw diskError(error, location.rel)
  } finally {
    location.release()
  }
}

/** Returns a path below a directory for system calls; its names need not be text. */
export function placeBelow(directory: string, path: string): string | Buffer {
  const name = onDisk(path)
  return typeof name === 'string' ? `${directory}/${name}` : Buffer.concat([Buffer.from(`${directory}/`), name])
}
