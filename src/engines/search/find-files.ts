import { ToolError } from '../../kernel/error.ts'
import type { Root } from '../workspace/root.ts'
import { runRipgrep } from './ripgrep.ts'

export interface FindOptions {
  /** Workspace-relative directory to search from. */
  readonly directory: string
  /** Whether a path below the directory is wanted. */
  readonly matches: (path: string) => boolean
  readonly maxResults: number
  readonly maxDepth: number
  readonly timeoutMs: number
  readonly mayRead: (path: string) => boolean
  readonly signal?: AbortSignal
}

export interface FoundFiles {
  /** Relative to the directory, sorted. */
  readonly files: readonly string[]
  readonly total: number
  readonly timedOut: boolean
}

/** Finds files by name below a directory, leaving out what git ignores. */
export async function findFiles(root: Root, options: FindOptions): Promise<FoundFiles> {
  const { directory, matches, maxResults } = options
  const prefix = directory === '.' ? '' : `${directory}/`
  const files: string[] = []
  let total = 0
  const { timedOut, complaint } = await runRipgrep(root, {
    directory,
    args: ['--files', '--hidden', '--glob=!.git', '--sort=path', `--max-depth=${options.maxDepth}`],
    timeoutMs: options.timeoutMs,
    ...(options.signal && { signal: options.signal }),
    onLine(path) {
      if (!matches(path) || !options.mayRead(prefix + path)) return
      total++
      if (files.length < maxResults) files.push(path)
    },
  })
  if (complaint !== undefined && total === 0) throw new ToolError('io', `The search failed: ${complaint}`)
  return { files, total, timedOut }
}
