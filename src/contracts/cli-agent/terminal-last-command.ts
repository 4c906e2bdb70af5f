import { defineTool, ToolError, z } from '../tool.ts'
import { answer } from './answer.ts'

export const terminalLastCommand = defineTool({
  name: 'terminal_last_command',
  version: '1.0.0',
  description: 'Retrieve the last shell command that was executed',
  input: () => z.strictObject({}),
  output: () =>
    z.strictObject({
      ...answer,
      metadata: z.strictObject({ command: z.string(), exit_code: z.int(), executed_at: z.string() }),
    }),
  effects: [],
  uses: ['journal'],
  codes: { not_found: 'no_command_history' },
  claims: () => [],
  async run(_, { journal }) {
    const last = await journal.lastCommand()
    if (!last) throw new ToolError('not_found', 'No previous command in this session')
    const { command, exitCode, executedAt, stdout, stderr } = last
    return {
      output: `Last command: ${command}\nOutput: ${stdout}${stderr}`,
      metadata: { command, exit_code: exitCode, executed_at: executedAt },
    }
  },
  examples: [{ input: {}, before: [{ tool: 'run_in_terminal', input: { command: 'echo hello' } }] }],
})
