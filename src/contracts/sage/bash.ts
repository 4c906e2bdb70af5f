import { quoteArgv } from '../../kernel/shell-quote.ts'
import { defineTool, execs, standingHosts, z } from '../tool.ts'

export const bash = defineTool({
  name: 'Bash',
  version: '1.0.0',
  description:
    'Run a command in the sandbox: a shell line, or with `args` a program and its arguments. No network; what it changes is staged and committed with the call.',
  input: () =>
    z.strictObject({
      command: z.string().min(1).describe('A shell line; with args, a program'),
      args: z.array(z.string()).max(1000).optional().describe('Arguments, passed on as they are'),
    }),
  output: () => z.strictObject({ stdout: z.string(), stderr: z.string(), exitCode: z.int() }),
  effects: ['exec', 'net', 'create', 'write'],
  // The command has a limit of its own, and keeps what it printed when that is passed.
  timeoutMs: 3_660_000,
  claims: ({ command, args }, facts) => [...execs(args ? [command, ...args] : command), ...standingHosts(facts)],
  async run({ command, args }, { process }, call) {
    const { stdout, stderr, exitCode } = await process.run(
      args ? programOf([command, ...args], call.secrets) : { line: command },
      call,
    )
    return { stdout, stderr, exitCode }
  },
  examples: [{ input: { command: 'echo', args: ['hello'] } }, { input: { command: 'echo hello | tr a-z A-Z' } }],
})

/** Arguments that name secrets are given by a shell, to which each is a variable: its value is in no line that is judged or kept. */
const programOf = (argv: readonly string[], secrets: ReadonlyMap<string, string> = new Map()) =>
  secrets.size > 0 ? { line: quoteArgv(argv) } : { argv }
