import { ToolError } from '../../kernel/error.ts'
import type { UserPlaces } from '../tree/ignore/user-places.ts'
import { nameFromBytes } from '../../machine/workspace/name.ts'
import { runRipgrep } from './ripgrep.ts'
import type { UnreadableFile } from './unreadable-files.ts'

interface Listing {
  readonly cwd: string
  readonly args: readonly string[]
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly hidden?: boolean | undefined
  readonly user?: UserPlaces | undefined
  /** Called with each path below the directory. */
  readonly onFile: (path: string) => void
  /** Called with each directory that this user may not read. */
  readonly onUnreadable?: (directory: UnreadableFile) => void
}

/** Lists the files below a directory in no order, without those that git ignores. */
export async function listFiles({ onFile, ...listing }: Listing): Promise<{ readonly timedOut: boolean }> {
  let rest: Buffer = Buffer.alloc(0)
  const { timedOut, complaint } = await runRipgrep({
    ...listing,
    args: ['--files', '--null', ...listing.args],
    onOutput(bytes) {
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      let at = 0
      for (let nul = all.indexOf(0); nul >= 0; nul = all.indexOf(0, at)) {
        onFile(nameFromBytes(all.subarray(at, nul)))
        at = nul + 1
      }
      rest = all.subarray(at)
    },
  })
  if (complaint !== undefined) throw new ToolError('io', `The search failed: ${complaint}`)
  return { timedOut }
}
