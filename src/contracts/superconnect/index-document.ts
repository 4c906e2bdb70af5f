import type { IndexedFile, IndexStatus } from '../../engines/index/types.ts'
import { isoTime } from '../../kernel/iso-time.ts'
import { listed } from './listed.ts'

/** The whole repository index in the schema of the document's appendix. */
export const indexDocument = (status: IndexStatus, files: readonly IndexedFile[]) => ({
  repo_hash: status.repoHash,
  generated_at: isoTime(status.generatedAt),
  files: files.map(listed),
  statistics: {
    total_files: status.totalFiles,
    total_exports: status.totalExports,
    by_tag: status.byTag,
  },
})
