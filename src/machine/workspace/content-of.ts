import { ToolError } from '../../kernel/error.ts'
import { openReading } from './open-reading.ts'
import { createReadMemory } from './read-memory.ts'
import type { Root } from './root.ts'
import { createStaging, type Staging } from './staging.ts'

const MOST_BYTES = 4 * 1024 * 1024

/**
 * Returns the text of a file with what is staged, as commands see it; undefined if there is none. Of a longer file only
 * the beginning and the size count. The text is compared and never shown, so no claim is needed.
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
      return file.size > MOST_BYTES ? `${file.size} ${text}` : text
    } finally {
      file.close()
    }
  } catch (error) {
    if (error instanceof ToolError) return undefined
    throw error
  }
}
