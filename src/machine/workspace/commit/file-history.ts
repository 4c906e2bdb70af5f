import { ToolError } from '../../../kernel/error.ts'
import { identityOf } from '../identity.ts'
import type { Root } from '../root.ts'
import { createStaging } from '../staging.ts'
import { createView } from '../view.ts'
import type { CommitStore, Place } from './commit-store.ts'
import { readWhole } from './file-bytes.ts'
import type { Step } from './intent.ts'
import { commitSteps } from './list-undo.ts'

/** What one commit did to a file. */
export interface FileVersion {
  readonly commit: string
  /** sha256 of the content that it left; undefined if it deleted the file, or only moved it. */
  readonly after: string | undefined
  /** The content that it replaced; undefined if there was none, or if it is no longer stored. */
  readonly before: Buffer | undefined
}

/** Returns what the commits in the store did to a file, the newest first. A file that was moved here had another name. */
export function fileHistory(store: CommitStore, path: string): readonly FileVersion[] {
  const versions: FileVersion[] = []
  let name = path
  for (const { id, place, directory, steps } of commitSteps(store))
    for (const [index, step] of [...steps.entries()].toReversed()) {
      if (step.kind === 'move' && step.to === name) name = step.from
      if (!changesContent(step) || step.path !== name) continue
      const before =
        step.kind === 'put' && step.base === 'absent' ? undefined : storedContent(store, place, directory, index)
      versions.push({ commit: id, after: step.kind === 'put' ? step.hash : undefined, before })
    }
  return versions
}

const changesContent = (step: Step): step is Extract<Step, { kind: 'put' | 'delete' }> =>
  step.kind === 'put' || step.kind === 'delete'

function storedContent({ sys }: CommitStore, place: Place, name: string, index: number): Buffer | undefined {
  const directory = sys.openDirectory(place.undo, name)
  try {
    return sys.lstat(directory, `x${index}`)?.isFile() ? readWhole(sys, directory, `x${index}`) : undefined
  } finally {
    sys.close(directory)
  }
}

/** Returns the content of a file as it is on disk. Throws `not_found` if there is no such file. */
export function contentNow(root: Root, path: string): Buffer {
  const view = createView(root, createStaging())
  return view.look(path, {}, ({ seen }) => {
    if (seen.type === 'disk' && seen.stats.isFile()) return view.bytesOnDisk(path, identityOf(seen.stats))
    throw new ToolError('not_found', `There is no file '${path}'`)
  })
}
