import type { LayerFile } from './layer.ts'

/** One thing that a command made, changed or took away, as its layer tells it. */
export type LayerChange = ChangedFile | ChangedLink | ChangedDirectory | RemovedEntry

interface Place {
  /** Canonical: relative to the workspace, forward slashes. */
  readonly path: string
  /** The directory it lies in was none before the command: nothing on disk is meant by this path. */
  readonly fresh: boolean
}

export interface ChangedFile extends Place {
  readonly type: 'file'
  /** Permission bits alone. */
  readonly mode: number
  readonly size: number
  /** Where its bytes are until they have a place. */
  readonly at: LayerFile
}

interface ChangedLink extends Place {
  readonly type: 'symlink'
  readonly target: string
}

/** A directory where there was none. */
interface ChangedDirectory extends Place {
  readonly type: 'directory'
  readonly mode: number
}

export interface RemovedEntry extends Place {
  readonly type: 'absent'
  /** What was there. */
  readonly was: 'file' | 'directory' | 'symlink' | 'other'
}
