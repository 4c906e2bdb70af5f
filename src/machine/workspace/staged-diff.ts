import { join } from 'node:path'
import type { Concealer } from '../../kernel/conceal.ts'
import { changesOf } from './changes.ts'
import type { Root } from './root.ts'
import { loadStaging } from './stage-store.ts'
import { createView } from './view.ts'

/** Returns a transaction's changes to these paths as a diff against the workspace, from all its calls. */
export function stagedDiff(
  root: Root,
  transaction: string,
  paths: readonly string[],
  { directory, conceal }: { readonly directory: string; readonly conceal: Concealer | undefined },
): string {
  const staging = loadStaging(join(directory, transaction))
  if (!staging) return ''
  return changesOf(staging, createView(root, staging), () => conceal)
    .filter(({ path }) => paths.includes(path))
    .map(change => change.diff())
    .join('')
}
