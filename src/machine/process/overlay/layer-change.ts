import type { LayerFile } from './layer.ts'

/** One creation, change or removal by a command, read from its layer. */
export type LayerChange = ChangedFile | ChangedLink | ChangedDirectory | RemovedEntry

interface Place {
  /** Canonical: relative to the workspace, forward slashes. */
  readonly path: string
  /** Its directory did not exist before the command, so this path names nothing on disk. */
  readonly fresh: boolean
}

export interface ChangedFile extends Place {
  readonly type: 'file'
  /** Permission bits only. */
  readonly mode: number
  readonly size: number
  /** Location of its bytes until they land. */
  readonly at: LayerFile
}

interface ChangedLink extends Place {
  readonly type: 'symlink'
  readonly target: string
}

/** A new directory. */
interface ChangedDirectory extends Place {
  readonly type: 'directory'
  readonly mode: number
}

export interface RemovedEntry extends Place {
  readonly type: 'absent'
  /** Previous type. */
  readonly was: 'file' | 'directory' | 'symlink' | 'other'
}
