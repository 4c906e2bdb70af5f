import { z } from 'zod'
import { defineTool, type Engines } from '../../../src/engines/engines.ts'
import { openWorkspace } from '../../../src/machine/workspace/open-workspace.ts'
import { createReadMemory } from '../../../src/machine/workspace/read-memory.ts'
import { createStaging } from '../../../src/machine/workspace/staging.ts'
import type { OpenWorkspace } from '../../../src/machine/workspace-resources.ts'
import { reads } from '../../../src/kernel/claim.ts'
import type { Contract } from '../../../src/kernel/contract.ts'
import { ToolError } from '../../../src/kernel/error.ts'
import { standInContract } from '../stand-in-contract.ts'

/**
 * Stands for a verb that no tool of ours has by itself: it claims what one would claim and works through the same
 * workspace, so that the path gate and the policy that decide are the real ones.
 */
export function statTool(workspace: () => OpenWorkspace): Contract<Engines> {
  return standInContract(
    defineTool({
      name: 'stat',
      version: '1.0.0',
      description: 'Stands for stat.',
      input: z.strictObject({ path: z.string() }),
      output: z.unknown(),
      effects: ['read'],
      claims: ({ path }) => reads(path),
      run({ path }) {
        const grant = [{ action: 'read', resource: '**' } as const]
        const ws = openWorkspace(workspace().root, { grant, staging: createStaging(), memory: createReadMemory() })
        const entry = ws.stat(path)
        if (!entry) throw new ToolError('not_found', 'There is nothing')
        return { path: entry.path, type: entry.type, size: entry.size }
      },
      examples: [],
    }),
  )
}
