import { quoteArgv } from '../../kernel/shell-quote.ts'

/** Configuration of one client for this server. */
export interface ClientSetup {
  readonly client: string
  /** The file to edit; undefined if `text` is a command to run. */
  readonly file?: string
  readonly text: string
}

/** Editors replace this with the open folder; a fixed path would be wrong in every other project. */
const OPEN_FOLDER = '${workspaceFolder}'

/** Codex ends a call after five minutes by default; our commands may take an hour. */
const LONGEST_CALL_SEC = 3600

/**
 * Returns how to configure each client to start the server with this command. Commands name this directory. Files lie
 * in a project and name none, so that they work in others too. `npm run clients` tests those of Claude Code and Codex.
 */
export function clientSetups(command: readonly [string, ...string[]], root: string): readonly ClientSetup[] {
  const [program, ...before] = command
  const args = [...before, 'mcp']
  const line = quoteArgv([program, ...args, '--root', root])
  // Claude Code and Codex start a project's servers in the project.
  const inProject = { command: program, args }
  const inFolder = { command: program, args: [...args, '--root', OPEN_FOLDER] }
  return [
    { client: 'Claude Code', text: `claude mcp add toolwright -- ${line}` },
    {
      client: 'Claude Code (project)',
      file: '.mcp.json',
      text: JSON.stringify({ mcpServers: { toolwright: inProject } }),
    },
    {
      client: 'Claude Code (asks once)',
      file: '.claude/settings.json',
      text: JSON.stringify({ permissions: { allow: ['mcp__toolwright'] } }),
    },
    { client: 'Codex', file: '.codex/config.toml', text: codexTable(program, args) },
    { client: 'Cursor', file: '.cursor/mcp.json', text: JSON.stringify({ mcpServers: { toolwright: inFolder } }) },
    {
      client: 'VS Code',
      file: '.vscode/mcp.json',
      text: JSON.stringify({ servers: { toolwright: { type: 'stdio', ...inFolder } } }),
    },
  ]
}

/** The last line keeps Codex from asking before a call, because the tool asks itself. A JSON string is valid TOML. */
const codexTable = (program: string, args: readonly string[]): string =>
  [
    '[mcp_servers.toolwright]',
    `command = ${JSON.stringify(program)}`,
    `args = [${args.map(arg => JSON.stringify(arg)).join(', ')}]`,
    `tool_timeout_sec = ${LONGEST_CALL_SEC}`,
    'default_tools_approval_mode = "approve"',
  ].join('\n')
