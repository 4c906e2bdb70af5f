import { ToolError } from '../../../kernel/error.ts'
import { onDisk } from '../../workspace/name.ts'
import type { Root } from '../../workspace/root.ts'

/**
 * Opens a file of the workspace's own `.git` for reading. Returns undefined if it is missing or a link or file is on
 * the way.
 */
export function openGitFile(root: Root, path: string): number | undefined {
  if (root.sys.lstat(root.fd, '.git')?.isDirectory() !== true) return undefined
  try {
    const place = root.resolve(path, { link: true })
    try {
      if (place.rel !== path || place.missing.length > 0 || !place.stats?.isFile()) return undefined
      return root.sys.openFile(place.dir, onDisk(place.name ?? ''))
    } finally {
      place.release()
    }
  } catch (error) {
    if (error instanceof ToolError) return undefined
    throw error
  }
}
