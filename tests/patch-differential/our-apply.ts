import { ToolError } from '../../src/kernel/error.ts'
import { applyPatch } from '../../src/machine/text/patch/patch.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import { openWorkspace } from '../../src/machine/workspace/open-workspace.ts'
import { createReadMemory } from '../../src/machine/workspace/read-memory.ts'
import { createStaging } from '../../src/machine/workspace/staging.ts'
import type { Workspace } from '../../src/machine/workspace/workspace.ts'
import type { Tree, TreeFile } from './tree.ts'

export type OurResult = { readonly tree: Tree } | { readonly refused: ToolError }

/** What our engine makes of a patch: the tree as staged, with the disk left as it is. */
export function ourApply(directory: string, patch: Buffer, reverse: boolean): OurResult {
  const root = openRoot(directory)
  const grant = (['read', 'create', 'write'] as const).map(action => ({ action, resource: '**' }))
  try {
    const ws = openWorkspace(root, { grant, staging: createStaging(), memory: createReadMemory(), strictWrites: true })
    applyPatch(ws, patch, { reverse })
    const tree = new Map<string, TreeFile>()
    collect(ws, '.', tree)
    return { tree }
  } catch (error) {
    if (error instanceof ToolError) return { refused: error }
    throw error
  } finally {
    root.close()
  }
}

function collect(ws: Workspace, path: string, tree: Map<string, TreeFile>): void {
  for (const entry of ws.list(path)) {
    if (entry.type === 'directory') collect(ws, entry.path, tree)
    else
      tree.set(entry.path, {
        content: ws.read(entry.path).bytes.toString('latin1'),
        executable: (entry.mode & 0o100) !== 0,
      })
  }
}
