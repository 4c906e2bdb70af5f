import { createHash } from 'node:crypto'
import { ToolError } from '../../kernel/error.ts'
import { openReading } from './open-reading.ts'
import { createReadMemory } from './read-memory.ts'
import type { Root } from './root.ts'
import { createStaging, type Staging } from './staging.ts'
import type { OpenFile } from './workspace.ts'

const MOST_BYTES = 4 * 1024 * 1024
/** Of an even longer file, the time of its last change counts for the rest. */
const MOST_HASHED = 256 * 1024 * 1024

/**
 * Returns the text of a file with what is staged, as commands see it; undefined if there is none. Of a longer file
 * it is the beginning and a hash of the rest. The text is compared and never shown, so no claim is needed.
 */
export function contentOf(root: Root, staging: Staging | undefined, path: string): string | undefined {
  const everything = [{ action: 'read' as const, resource: '**' }]
  const reading = openReading(root, {
    grant: everything,
    staging: staging ?? createStaging(),
    memory: createReadMemory(),
  })
  try {
    const file = reading.open(path)
    try {
      const text = file.read(0, Math.min(file.size, MOST_BYTES)).toString('latin1')
      return file.size > MOST_BYTES ? `${file.size} ${restOf(file)} ${text}` : text
    } finally {
      file.close()
    }
  } catch (error) {
    if (error instanceof ToolError) return undefined
    throw error
  }
}

function restOf(file: OpenFile): string {
  const hash = createHash('sha256')
  const end = Math.min(file.size, MOST_HASHED)
  for (let at = MOST_BYTES; at < end; at += MOST_BYTES) hash.update(file.read(at, Math.min(MOST_BYTES, end - at)))
  return `${hash.digest('hex')} ${file.size > MOST_HASHED ? (file.version ?? '') : ''}`
}
