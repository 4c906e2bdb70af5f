import { ToolError } from '../../../kernel/error.ts'
import type { FilePatch } from './patch-types.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { parsePatch } from './parse-patch.ts'
import { planPatch, type PlannedFile } from './plan-patch.ts'
import { show } from '../../workspace/path.ts'
import { stagePatch } from './stage-patch.ts'

export { patchPaths } from './patch-paths.ts'

export interface PatchOptions {
  /** Computes everything and stages nothing. */
  readonly check?: boolean
  readonly reverse?: boolean
  /** Number of outer context lines that may differ if the place is unique without them; default 0, like git. */
  readonly fuzz?: number
  /** Number of leading components to strip; default like git: 1, or 0 for names without a directory. */
  readonly strip?: number
  /** The only file that the patch may touch. */
  readonly only?: string
}

export interface PatchedFile {
  readonly path: string
  readonly kind: FilePatch['kind']
  readonly from?: string
  readonly hunks: number
  readonly added: number
  readonly removed: number
  /** Per hunk: distance from its line. */
  readonly offsets: number[]
  /** Per hunk: number of dropped outer context lines. */
  readonly fuzz: number[]
}

interface Patched {
  /** False for a check, which stages nothing. */
  readonly applied: boolean
  readonly files: PatchedFile[]
}

/**
 * Stages a patch's changes to all its files, or throws and stages nothing. A unified diff gives the same bytes as `git
 * apply`, or is refused; docs/patches.md lists our additional refusals.
 */
export function applyPatch(
  ws: Workspace,
  diff: string | Buffer,
  { check = false, reverse = false, fuzz = 0, strip, only }: PatchOptions = {},
): Patched {
  const path = only === undefined ? undefined : ws.locate(only)
  const files = parsePatch(diff, {
    reverse,
    ...(strip === undefined ? {} : { strip }),
    ...(path === undefined ? {} : { only: path }),
  })
  if (only !== undefined && path !== undefined) checkOnly(files, path, only)
  const plans = planPatch(ws, files, fuzz)
  if (!check) stagePatch(ws, plans)
  return { applied: !check, files: plans.map(patchedFile) }
}

function checkOnly(files: readonly FilePatch[], path: string, asked: string): void {
  for (const { from, to, at } of files)
    for (const name of [from, to])
      if (name !== undefined && name !== path)
        throw new ToolError('invalid_input', `The patch touches ${show(name)}, not only ${show(asked)}`, {
          hint: 'Send a patch for this one file.',
          details: { file: name, line: at },
        })
}

function patchedFile({ file, kind, offsets, fuzz }: PlannedFile): PatchedFile {
  const count = (operation: string): number =>
    file.hunks.reduce((sum, hunk) => sum + hunk.lines.filter(line => line.startsWith(operation)).length, 0)
  return {
    path: file.to ?? file.from ?? '',
    kind,
    ...(kind === 'rename' || kind === 'copy' ? { from: file.from ?? '' } : {}),
    hunks: file.hunks.length,
    added: count('+'),
    removed: count('-'),
    offsets: [...offsets],
    fuzz: [...fuzz],
  }
}
