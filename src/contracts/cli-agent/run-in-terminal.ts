import { defineTool, execs, standingHosts, z } from '../tool.ts'
import { answer } from './answer.ts'
import { countsOf, formatFailure, formatOutput } from './command-report.ts'

export const runInTerminal = defineTool({
  name: 'run_in_terminal',
  version: '1.0.0',
  description: 'Execute a shell command',
  input: () =>
    z.strictObject({
      command: z.string().regex(/\S/, 'command must not be empty').describe('Shell command to execute'),
      timeout_seconds: z.int().min(1).max(300).default(30).describe('Timeout in seconds (default: 30)'),
    }),
  output: () =>
    z.strictObject({
      ...answer,
      metadata: z.strictObject({
        exit_code: z.int(),
        stdout_lines: z.int(),
        stderr_lines: z.int(),
        shell: z.string().optional(),
      }),
    }),
  effects: ['exec', 'net', 'create', 'write'],
  timeoutMs: 330_000,
  claims: ({ command }, facts) => [...execs(command), ...standingHosts(facts)],
  async run({ command, timeout_seconds }, { process }, call) {
    const ran = await process.run({ line: command, timeoutMs: timeout_seconds * 1000 }, call)
    return {
      output: ran.exitCode === 0 ? formatOutput(ran) : `Error: ${formatFailure(ran)}`,
      metadata: { ...countsOf(ran), ...(ran.shell && { shell: ran.shell }) },
    }
  },
  examples: [{ input: { command: 'echo hello' } }],
})
