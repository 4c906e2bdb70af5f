import { z } from 'zod'
import { defineTool, type Engines } from '../../../src/engines/engines.ts'
import type { AnyTool } from '../../../src/kernel/contract.ts'
import type { CallContext } from '../../../src/kernel/tool.ts'

export interface CommandToolOptions {
  /** What its one parameter is called. */
  readonly parameter?: string
  readonly run: (command: string, call: CallContext) => unknown
}

/** Stands for a tool that runs commands: it claims its command, so that policy and people decide about it. */
export function commandTool(name: string, { parameter = 'command', run }: CommandToolOptions): AnyTool<Engines> {
  return defineTool({
    name,
    version: '1.0.0',
    description: 'Stands for a tool that runs commands.',
    input: z.strictObject({ [parameter]: z.string() }),
    output: z.unknown(),
    effects: ['exec'],
    claims: input => [{ action: 'exec', resource: input[parameter] ?? '' }],
    run: (input, _engines, call) => run(input[parameter] ?? '', call),
    examples: [],
  })
}
