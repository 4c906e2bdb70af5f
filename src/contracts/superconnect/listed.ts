import type { IndexedFile } from '../../engines/index/types.ts'
import { isoTime } from '../../kernel/iso-time.ts'

/** A file of the index as the document writes it. */
export const listed = ({ path, exports, tags, size, mtimeMs }: IndexedFile) => ({
  path,
  exports: [...exports],
  tags: [...tags],
  size_bytes: size,
  last_modified: isoTime(mtimeMs),
})
