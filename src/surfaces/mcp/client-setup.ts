import { quoteArgv } from '../../kernel/shell-quote.ts'

/** How one client is told of the server. */
export interface ClientSetup {
  readonly client: string
  /** The file to edit, or undefined where `text` is a command to run. */
  readonly file?: string
  readonly text: string
}

/** What editors put in for the folder that is open; a path would be wrong in every other project. */
const OPEN_FOLDER = '${workspaceFolder}'

/**
 * How each client is told to start the server with this command. Its commands name this directory; its files lie in a
 * project and name none, so that they hold in the next one too.
 */
export function clientSetups(command: readonly [string, ...string[]], root: string): readonly ClientSetup[] {
  const [program, ...before] = command
  const args = [...before, 'mcp']
  const line = quoteArgv([program, ...args, '--root', root])
  // Claude Code starts the servers of a project in the project.
  const inProject = { command: program, args }
  const inFolder = { command: program, args: [...args, '--root', OPEN_FOLDER] }
  return [
    { client: 'Claude Code', text: `claude mcp add toolwright -- ${line}` },
    { client: 'Codex', text: `codex mcp add toolwright -- ${line}` },
    {
      client: 'Claude Code (project)',
      file: '.mcp.json',
      text: JSON.stringify({ mcpServers: { toolwright: inProject } }),
    },
    { client: 'Cursor', file: '.cursor/mcp.json', text: JSON.stringify({ mcpServers: { toolwright: inFolder } }) },
    {
      client: 'VS Code',
      file: '.vscode/mcp.json',
      text: JSON.stringify({ servers: { toolwright: { type: 'stdio', ...inFolder } } }),
    },
  ]
}
