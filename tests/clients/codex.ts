import { join } from 'node:path'
import type { Client } from './client.ts'
import { APPROVED, TASKS } from './tasks.ts'

export const codex: Client = {
  name: 'Codex',
  page: 'codex',
  program: 'codex',
  package: '@openai/codex',
  version: '0.166.0',
  findings: [
    'A question shows the whole card and the whole diff, with `\\n` for its line breaks.',
    'Enter approves. Down and Enter, or Esc, refuse.',
    'It asks before it calls a tool that can change something, unless `default_tools_approval_mode = "approve"` is set; a read it does not ask about.',
    'It ends a call after 300 s (tried by hand) unless `tool_timeout_sec` says otherwise. The time in which a question is open does not count.',
  ],
  // Given on the command line, so that the configuration holds our lines alone, and no server of Codex stays behind.
  argv: (packages, model) => [
    process.execPath,
    join(packages, '@openai/codex/bin/codex.js'),
    '--config=model="fake"',
    '--config=model_provider="fake"',
    `--config=model_providers.fake={name="fake",base_url="${model}/v1",wire_api="responses",env_key="FAKE_KEY"}`,
  ],
  env: () => ({ FAKE_KEY: 'dummy' }),
  settle: () => undefined,
  connections(setups) {
    const printed = setups.filter(({ client }) => client === 'Codex')
    return [
      {
        title: 'Connected for the project',
        about: 'The file, in a project that Codex has been told to trust:',
        setup: printed,
        command: 'codex',
        tasks: TASKS,
      },
      {
        title: 'Asked twice',
        about: 'The command, which has no way to give the last two lines:',
        setup: [{ client: 'Codex', text: 'codex mcp add toolwright -- toolwright mcp' }],
        command: 'codex',
        asksItself: true,
        tasks: [APPROVED],
      },
      {
        title: 'A slow answer',
        about: 'Three seconds for a call, and five until the question is answered:',
        setup: printed.map(setup => ({ ...setup, text: setup.text.replace(/(?<=tool_timeout_sec = )\d+/, '3') })),
        command: 'codex',
        thinkMs: 5000,
        tasks: [APPROVED],
      },
    ]
  },
  async enter(terminal) {
    await terminal.sees(/Trust and continue/)
    await terminal.press('Enter')
    await terminal.sees(/Ask Codex to do anything/)
  },
  ownQuestion: /Allow the toolwright MCP server to run tool/,
  question: /Field 1\/1/,
  keys: { yes: ['Enter'], no: ['Down', 'Enter'] },
  idle: /^› Ask Codex to do anything/m,
  tidy: line =>
    /^ {2}Worked for |└ Tip: |^[•◦] Working/.test(line)
      ? undefined
      : line
          .replace(/^◦/, '•')
          .replace(/undo 0m\w{16}/, 'undo ID')
          .replace(/answer \(\d+ bytes\)/, 'answer (… bytes)'),
}
