import { defineTool, execs, z } from '../tool.ts'
import { answer } from './answer.ts'

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
  effects: ['exec', 'create', 'write'],
  timeoutMs: 330_000,
  claims: ({ command }) => execs(command),
  async run({ command, timeout_seconds }, { process }, call) {
    const { stdout, stderr, exitCode, shell } = await process.run(
      { line: command, timeoutMs: timeout_seconds * 1000 },
      call,
    )
    return {
      output: exitCode === 0 ? printed(stdout, stderr) : `Error: ${failure(exitCode, stdout, stderr)}`,
      metadata: {
        exit_code: exitCode,
        stdout_lines: linesIn(stdout),
        stderr_lines: linesIn(stderr),
        ...(shell && { shell }),
      },
    }
  },
  examples: [{ input: { command: 'echo hello' } }],
})

/** Standard error is worth reading also where all went well. */
const printed = (stdout: string, stderr: string): string =>
  `Command output:\n${closed(stdout)}${stderr === '' ? '' : `Standard error:\n${closed(stderr)}`}`

function failure(exitCode: number, stdout: string, stderr: string): string {
  const missing =
    exitCode === 127
      ? /^(?:bash|sh|\/bin\/(?:ba)?sh): (?:line \d+: |\d+: )?(.+?): (?:command )?not found$/m.exec(stderr)
      : null
  if (missing) return `Command '${missing[1]}' not found`
  return `Command failed with exit code ${exitCode}:\n${stderr === '' ? stdout : stderr}`
}

const closed = (text: string): string => (text === '' || text.endsWith('\n') ? text || '\n' : `${text}\n`)

const linesIn = (text: string): number => (text === '' ? 0 : closed(text).split('\n').length - 1)
