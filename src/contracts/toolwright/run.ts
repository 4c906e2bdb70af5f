import type { BackgroundState, Ran } from '../../machine/process/types.ts'
import { commandHosts, defineTool, execs, inputs, ToolError, z } from '../tool.ts'
import { exactlyOne } from './required-fields.ts'
import { effectsInput } from './effects-input.ts'

const HOUR = 3_600_000

export const run = defineTool({
  name: 'run',
  version: '1.2.0',
  description:
    'Run `command` (a bash line) or `argv` (a program and its arguments) in the sandbox, in `cwd`, with `stdin`, on a `terminal` if set; ends it after `timeoutMs` (default 120 s). ' +
    'It sees staged changes; its own changes are shown, committed and undone like any other, but ignored paths land at once. It reaches only `hosts`. Write secrets as $ENV.NAME. ' +
    'With `background` it continues after the call and writes directly; `action` polls, reads (from offset `since`), writes `input` to or stops its `handle`.',
  input: () =>
    exactlyOne(
      z.strictObject({
        command: z.string().min(1).optional().describe('A shell line'),
        argv: z.array(z.string()).min(1).max(1000).optional().describe('A program and its arguments, without a shell'),
        cwd: z.string().optional().describe('A directory of the workspace'),
        timeoutMs: z.int().min(1).max(HOUR).optional().describe('Ends it after this time; default 120 s'),
        stdin: z.string().optional().describe('Standard input'),
        hosts: z.array(z.string()).max(100).optional().describe('Hosts it may reach, such as packages.example.com'),
        terminal: z.boolean().optional().describe('Give it a terminal'),
        background: z.boolean().optional().describe('Continue after this call'),
        handle: z.string().optional().describe('The background command'),
        action: z.enum(['poll', 'read', 'write', 'stop']).optional().describe('What to do with `handle`; default poll'),
        input: z.string().optional().describe('Text to write to it'),
        since: z.int().min(0).optional().describe('Offset to read from'),
        ...effectsInput(),
      }),
      'command',
      'argv',
      'handle',
    ),
  output: () =>
    z.strictObject({
      exitCode: z.int().optional(),
      signal: z.string().optional(),
      stdout: z.string(),
      stderr: z.string(),
      truncated: z.boolean(),
      bytesLeftOut: z.int().optional().describe('Bytes omitted from the middle of the output'),
      durationMs: z.number(),
      handle: z.string().optional(),
      running: z.boolean().optional(),
      ended: z.string().optional(),
      offset: z.int().optional(),
    }),
  effects: ['exec', 'net', 'create', 'write'],
  keepsEnd: true,
  // The command has its own limit, after which its output is kept.
  timeoutMs: HOUR + 60_000,
  claims: ({ command, argv, cwd, hosts, handle, background, action, stdin }, facts) =>
    handle === undefined
      ? [
          ...execs(command ?? argv ?? [], cwd, stdin === undefined ? undefined : 'given'),
          ...commandHosts(hosts ?? []),
          // It can write anywhere while it runs: a change to the whole workspace.
          ...(background ? [{ action: 'write', resource: '**' } as const] : []),
        ]
      : action === 'write'
        ? inputs(facts, handle)
        : [],
  async run({ command, argv, cwd, timeoutMs, stdin, terminal, ...more }, { process }, call) {
    const { handle, action = 'poll', input, since = 0 } = more
    if (handle !== undefined) {
      if (action === 'write' && input === undefined)
        throw new ToolError('invalid_input', "Missing parameter 'input'", { hint: 'Give the text for the command' })
      if (action === 'write') return backgroundAnswer(process.write(handle, input ?? ''))
      if (action === 'read') return backgroundAnswer(process.read(handle, since, call))
      return backgroundAnswer(action === 'stop' ? await process.stop(handle) : process.poll(handle))
    }
    const spec = {
      ...(command !== undefined && { line: command }),
      ...(argv !== undefined && { argv }),
      ...(cwd !== undefined && { cwd }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(stdin !== undefined && { stdin }),
      ...(terminal && { terminal: { columns: 120, rows: 40 } }),
    }
    return more.background
      ? backgroundAnswer(await process.start(spec, call))
      : runAnswer(await process.run(spec, call))
  },
  examples: [
    { input: { command: 'printf hello > greeting.txt && cat greeting.txt' } },
    { input: { argv: ['printf', '%s', 'hello'] } },
    { input: { command: 'cat hello.txt', cwd: 'greetings' }, files: { 'greetings/hello.txt': 'hello\n' } },
  ],
})

const runAnswer = ({ exitCode, signal, stdout, stderr, truncated, bytesLeftOut, durationMs }: Ran) => ({
  exitCode,
  ...(signal !== undefined && { signal }),
  stdout,
  stderr,
  truncated,
  ...(truncated && { bytesLeftOut }),
  durationMs,
})

const backgroundAnswer = ({
  handle,
  running,
  output,
  offset,
  exitCode,
  signal,
  ended: why,
  ...rest
}: BackgroundState) => ({
  ...(exitCode !== undefined && { exitCode }),
  ...(signal !== undefined && { signal }),
  stdout: output,
  stderr: '',
  truncated: rest.truncated,
  durationMs: rest.durationMs,
  handle,
  running,
  ...(why !== undefined && { ended: why }),
  offset,
})
