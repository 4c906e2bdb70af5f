import { ToolError } from '../../kernel/error.ts'
import type { UserPlaces } from '../tree/ignore/user-places.ts'
import { nameFromBytes } from '../../machine/workspace/name.ts'
import { join } from '../../machine/workspace/path.ts'
import type { Root } from '../../machine/workspace/root.ts'
import { filesInPlace } from './entries-in-place.ts'
import { runRipgrep } from './ripgrep.ts'
import { watchNames } from './unchanged-names.ts'
import type { UnreadableFile } from './unreadable-files.ts'

interface Listing {
  /** The directory to list. */
  readonly cwd: string
  /** The workspace that it lies in and its path there, in which others may exchange names. */
  readonly within?: { readonly root: Root; readonly directory: string }
  readonly args: readonly string[]
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly hidden?: boolean | undefined
  /** Lists only text files, as a search sees them: those without a NUL byte. Reads them all. */
  readonly textOnly?: boolean | undefined
  readonly user?: UserPlaces | undefined
  /** Called with each path below the directory. */
  readonly onFile: (path: string) => void
  /** Called with each directory that this user may not read. */
  readonly onUnreadable?: (directory: UnreadableFile) => void
}

/**
 * Lists the files below a directory in no order, without those that git ignores. Names a file only if it lies where the
 * held walk leads: ripgrep goes by paths, on which another program may exchange a name for a link.
 */
export async function listFiles({
  within,
  onFile,
  textOnly,
  ...listing
}: Listing): Promise<{ readonly timedOut: boolean }> {
  const areUnchanged = watchNames(listing.cwd)
  const paths: string[] = []
  let rest: Buffer = Buffer.alloc(0)
  const { timedOut, complaint } = await runRipgrep({
    ...listing,
    args: [...(textOnly ? TEXT_FILES : ['--files']), '--null', ...listing.args, ...(textOnly ? ['.'] : [])],
    onOutput(bytes) {
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      let at = 0
      for (let nul = all.indexOf(0); nul >= 0; nul = all.indexOf(0, at)) {
        paths.push(nameFromBytes(all.subarray(textOnly ? at + './'.length : at, nul)))
        at = nul + 1
      }
      rest = all.subarray(at)
    },
  })
  if (complaint !== undefined) throw new ToolError('io', `The search failed: ${complaint}`)
  for (const path of !within || areUnchanged(paths) ? paths : pathsInPlace(within, paths)) onFile(path)
  return { timedOut }
}

/** ripgrep decodes UTF-16 first. */
const TEXT_FILES = ['--files-without-match', '--text', '--regexp=\\x00']

/** Returns those of the paths below a directory at which a file lies in the workspace. */
function pathsInPlace({ root, directory }: Required<Listing>['within'], paths: readonly string[]): readonly string[] {
  const inPlace = new Set(
    filesInPlace(
      root,
      paths.map(below => join(directory, below)),
    ),
  )
  return paths.filter(below => inPlace.has(join(directory, below)))
}
