import type { LayerFile } from './layer.ts'

/** One thing that a command made, changed or took away, as its layer tells it. */
export type Made = MadeFile | MadeLink | MadeDirectory | MadeGone

interface Place {
  /** Canonical: relative to the workspace, forward slashes. */
  readonly path: string
  /** The directory it lies in was none before the command: nothing on disk is meant by this path. */
  readonly fresh: boolean
}

export interface MadeFile extends Place {
  readonly type: 'file'
  /** Permission bits alone. */
  readonly mode: number
  readonly size: number
  /** Where its bytes are until they have a place. */
  readonly at: LayerFile
}

interface MadeLink extends Place {
  readonly type: 'symlink'
  readonly target: string
}

/** A directory where there was none. */
interface MadeDirectory extends Place {
  readonly type: 'directory'
  readonly mode: number
}

export interface MadeGone extends Place {
  readonly type: 'absent'
  /** What was there. */
  readonly was: 'file' | 'directory' | 'symlink' | 'other'
}
