import { quoteArgv } from '../../kernel/shell-quote.ts'
import { placeholder } from '../../kernel/placeholder.ts'
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
  keepsEnd: true,
  // The command has its own limit, after which its output is kept.
  timeoutMs: 3_660_000,
  claims: ({ command, args }, facts) => [...execs(args ? [command, ...args] : command), ...standingHosts(facts)],
  async run({ command, args }, { process }, call) {
    const secrets = call.secrets ?? literalSecrets([command, ...(args ?? [])])
    const { stdout, stderr, exitCode } = await process.run(
      args ? programOf([command, ...args], secrets) : { line: command },
      secrets.size > 0 ? { ...call, secrets } : call,
    )
    return { stdout, stderr, exitCode }
  },
  examples: [{ input: { command: 'echo', args: ['hello'] } }, { input: { command: 'echo hello | tr a-z A-Z' } }],
})

/** A shell passes arguments that name secrets as variables, so no judged or stored line has their values. */
const programOf = (argv: readonly string[], secrets: ReadonlyMap<string, string>) =>
  secrets.size > 0 ? { line: quoteArgv(argv) } : { argv }

/**
 * Without a secret provider the document injects nothing, so each placeholder is literal text. It is passed like a
 * secret, so that a shell does not read it as the variable ENV.
 */
const literalSecrets = (texts: readonly string[]): ReadonlyMap<string, string> =>
  new Map(texts.flatMap(text => [...text.matchAll(placeholder())].map(([whole, key = '']) => [key, whole] as const)))
