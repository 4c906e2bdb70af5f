import type { Root } from '../workspace/root.ts'
import type { State } from '../workspace/staged.ts'
import type { Staging } from '../workspace/staging.ts'
import { createView } from '../workspace/view.ts'
import { makeStagedTree, type StagedFile } from './staged-tree.ts'
import type { Validated, Validator } from '../workspace/validators.ts'
import { runValidators } from './validate.ts'

/** Runs validators on a copy of the resulting tree without a sandbox, for users who switched it off. */
export async function validateCopy(
  root: Root,
  staging: Staging,
  validators: readonly Validator[],
  isFixed: boolean,
): Promise<Validated[]> {
  const view = createView(root, staging)
  const tree = makeStagedTree(
    root.path,
    staging.entries().map(([path, { state }]) => stagedFile(path, state)),
  )
  try {
    const results = await runValidators(tree.path, validators, { fixed: isFixed })
    // The copy will be gone; the paths in the output should name the workspace's files.
    return results.map(result => ({ ...result, output: result.output.replaceAll(tree.path, root.path) }))
  } finally {
    tree.remove()
  }

  function stagedFile(path: string, state: State): StagedFile {
    if (state.type === 'file') return { path, type: 'file', mode: state.mode, read: () => view.bytes(state) }
    if (state.type === 'symlink') return { path, type: 'symlink', target: state.target }
    return { path, type: state.type }
  }
}
