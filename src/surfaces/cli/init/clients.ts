import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeDirectory, type Environment } from '../../../machine/state/directory.ts'
import { entryAt } from './edit-json.ts'

/** How a client reaches the server. */
export type Connection =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'http'; readonly url: string; readonly token: string }

/** Where settings are looked for. */
interface Home {
  readonly env: Environment
  readonly root: string
  readonly platform: NodeJS.Platform
}

/** Where and how a client keeps its MCP servers. */
export interface ClientFile {
  readonly file: string
  readonly format: 'json' | 'toml'
  /** The keys that lead to our entry. */
  readonly path: readonly string[]
  readonly entry: (connection: Connection) => Readonly<Record<string, unknown>>
  /** The folder placeholder of an editor, whose settings hold for every folder. */
  readonly root?: string
  /** The environment variable that holds the token, if the file must not. */
  readonly tokenVariable?: string
}

const NAME = 'toolwright'

/** The variable that Codex reads the token from: it refuses to start with a token in its file. */
const TOKEN_VARIABLE = 'TOOLWRIGHT_TOKEN'

const LONGEST_CALL_SEC = 3600

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

const plain = (connection: Connection) =>
  connection.kind === 'stdio'
    ? { command: connection.command, args: connection.args }
    : { url: connection.url, headers: bearer(connection.token) }

const typed =
  (stdio: string, extra: object = {}) =>
  (connection: Connection) => ({
    type: connection.kind === 'stdio' ? stdio : 'http',
    ...plain(connection),
    ...extra,
  })

const CLIENTS = {
  'claude-code': ({ env, root }: Home): ClientFile => ({
    file: join(homeDirectory(env), '.claude.json'),
    format: 'json',
    path: ['projects', root, 'mcpServers', NAME],
    entry: typed('stdio'),
  }),
  codex: ({ env }: Home): ClientFile => ({
    file: join(env['CODEX_HOME'] ?? join(homeDirectory(env), '.codex'), 'config.toml'),
    format: 'toml',
    path: ['mcp_servers', NAME],
    entry: connection => ({
      ...(connection.kind === 'stdio'
        ? { command: connection.command, args: connection.args }
        : { url: connection.url, bearer_token_env_var: TOKEN_VARIABLE }),
      tool_timeout_sec: LONGEST_CALL_SEC,
      default_tools_approval_mode: 'approve',
    }),
    tokenVariable: TOKEN_VARIABLE,
  }),
  cursor: ({ env }: Home): ClientFile => ({
    file: join(homeDirectory(env), '.cursor/mcp.json'),
    format: 'json',
    path: ['mcpServers', NAME],
    entry: plain,
    root: '${workspaceFolder}',
  }),
  vscode: (home: Home): ClientFile => ({
    file: join(applicationSettings(home, 'Code/User'), 'mcp.json'),
    format: 'json',
    path: ['servers', NAME],
    entry: typed('stdio'),
    root: '${workspaceFolder}',
  }),
  zed: (home: Home): ClientFile => ({
    file: join(zedSettings(home), 'settings.json'),
    format: 'json',
    path: ['context_servers', NAME],
    entry: plain,
  }),
  gemini: ({ env }: Home): ClientFile => ({
    file: join(homeDirectory(env), '.gemini/settings.json'),
    format: 'json',
    path: ['mcpServers', NAME],
    // With `url` it would speak an older transport.
    entry: connection =>
      connection.kind === 'stdio' ? plain(connection) : { httpUrl: connection.url, headers: bearer(connection.token) },
  }),
  opencode: openCode,
  copilot: ({ env }: Home): ClientFile => ({
    file: join(homeDirectory(env), '.copilot/mcp-config.json'),
    format: 'json',
    path: ['mcpServers', NAME],
    entry: typed('local', { tools: ['*'] }),
  }),
  generic: ({ root }: Home): ClientFile => ({
    file: join(root, '.mcp.json'),
    format: 'json',
    path: ['mcpServers', NAME],
    entry: typed('stdio'),
  }),
} as const

export type ClientName = keyof typeof CLIENTS

export const CLIENT_NAMES: readonly string[] = Object.keys(CLIENTS)

export const isClient = (name: string): name is ClientName => Object.hasOwn(CLIENTS, name)

export const clientFile = (name: ClientName, home: Home): ClientFile => CLIENTS[name](home)

/** Version 2 keeps servers under `mcp.servers`; the file tells which one wrote it. */
function openCode({ env }: Home): ClientFile {
  const folder = join(env['XDG_CONFIG_HOME'] ?? join(homeDirectory(env), '.config'), 'opencode')
  const file = ['opencode.jsonc', 'opencode.json'].map(name => join(folder, name)).find(existsSync)
  const isSecond = file !== undefined && entryAt(readFileSync(file, 'utf8'), ['mcp', 'servers']) !== undefined
  const state = isSecond ? { disabled: false } : { enabled: true }
  return {
    file: file ?? join(folder, 'opencode.json'),
    format: 'json',
    path: isSecond ? ['mcp', 'servers', NAME] : ['mcp', NAME],
    entry: connection =>
      connection.kind === 'stdio'
        ? { type: 'local', command: [connection.command, ...connection.args], ...state }
        : { type: 'remote', url: connection.url, headers: bearer(connection.token), ...state },
  }
}

function applicationSettings({ env, platform }: Home, folder: string): string {
  if (platform === 'win32') return join(env['APPDATA'] ?? homeDirectory(env), folder)
  if (platform === 'darwin') return join(homeDirectory(env), 'Library/Application Support', folder)
  return join(env['XDG_CONFIG_HOME'] ?? join(homeDirectory(env), '.config'), folder)
}

const zedSettings = ({ env, platform }: Home): string =>
  platform === 'win32'
    ? join(env['APPDATA'] ?? homeDirectory(env), 'Zed')
    : join(env['XDG_CONFIG_HOME'] ?? join(homeDirectory(env), '.config'), 'zed')
