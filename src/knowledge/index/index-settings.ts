import type { Tree } from '../tree/tree.ts'
import type { FileTable } from './table/file-table.ts'

/** What an index is opened with. */
export interface IndexSettings {
  readonly tree: Tree
  /** The real path of the workspace. */
  readonly directory: string
  /** Where facts are kept; nowhere unless given. */
  readonly cacheDirectory?: string
  /** Files of the workspace that are none of the repository's own. */
  readonly leaveOut?: (path: string) => boolean
  /** Files of which nothing is kept on disk. */
  readonly isDenied?: (path: string) => boolean
  /** How long a question waits for files that are being parsed, before it is answered with what there is. */
  readonly patienceMs?: number
  /** Nothing is parsed before this: others wait for what is being made until then. */
  readonly after?: Promise<unknown>
  /** Called at the end where everything is in the table. */
  readonly keep?: (table: FileTable) => Promise<void>
}
