import { quoteArgv } from '../../kernel/shell-quote.ts'

export interface ClientSetup {
  readonly client: string
  /** The file to edit, or undefined where `text` is a command to run. */
  readonly file?: string
  readonly text: string
}

/** How each client is told to start the server with this command on this directory. */
export function clientSetups(command: readonly [string, ...string[]], root: string): readonly ClientSetup[] {
  const [program, ...before] = command
  const args = [...before, 'mcp', '--root', root]
  const line = quoteArgv([program, ...args])
  const server = { command: program, args }
  return [
    { client: 'Claude Code', text: `claude mcp add toolwright -- ${line}` },
    { client: 'Codex', text: `codex mcp add toolwright -- ${line}` },
    {
      client: 'Claude Code (project), Cursor',
      file: '.mcp.json, .cursor/mcp.json',
      text: JSON.stringify({ mcpServers: { toolwright: server } }),
    },
    {
      client: 'VS Code',
      file: '.vscode/mcp.json',
      text: JSON.stringify({ servers: { toolwright: { type: 'stdio', ...server } } }),
    },
  ]
}
