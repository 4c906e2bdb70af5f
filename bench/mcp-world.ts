import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import { CLI, demandBuilt } from './built-command.ts'
import { desktopCommander, mcpRipgrep, referenceServer } from './corpora.ts'
import { generatedPackage } from './generated-package.ts'
import { stdioServer, type StdioServer } from './mcp-servers.ts'

/** Forty of them are in a note. */
export const NOTE_LINE = 'Some words of a note.'

/** Our server and its peers, each over a workspace that holds the same files. */
export interface McpWorld extends AsyncDisposable {
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  readonly ours: StdioServer
  readonly reference: StdioServer
  readonly commander: StdioServer
  readonly ripgrep: StdioServer
}

/** Programs that a user would start, as clients start them; over a tree in which nothing is changed, or over generated files. */
export async function mcpWorld(given?: string): Promise<McpWorld> {
  demandBuilt()
  const workspace = temporaryWorkspace(given === undefined ? files() : {})
  const root = given ?? workspace.path
  const env = { ...workspace.env, PATH: `${dirname(rgPath)}:${process.env['PATH']}` }
  const command = (...args: readonly string[]) => spawnSync(process.execPath, [CLI, ...args, '--root', root], { env })
  command('up')
  const ours = await ownServer({ root, env }, ['--allow', 'fs:write', '--allow', 'exec'])
  const reference = await stdioServer(referenceServer(), [root], { env })
  const commander = await stdioServer(desktopCommander(), [], { env, cwd: root })
  const ripgrep = await stdioServer(mcpRipgrep(), [], { env, cwd: root })
  return {
    root,
    env,
    ours,
    reference,
    commander,
    ripgrep,
    async [Symbol.asyncDispose]() {
      for (const server of [ours, reference, commander, ripgrep]) await server[Symbol.asyncDispose]()
      command('up', '--stop')
      await workspace.remove()
    },
  }
}

const CLAUDE_CODE = { name: 'claude-code', version: '2.1.325' }

/** Our server over the same workspace, as a client starts it that we know. */
export const ownServer = (
  { root, env }: Pick<McpWorld, 'root' | 'env'>,
  options: readonly string[],
): Promise<StdioServer> =>
  stdioServer(CLI, ['mcp', '--root', root, ...options], { env, cwd: root, client: CLAUDE_CODE })

/** A small program in two languages, a long text and a short one. */
function files(): Record<string, string> {
  const python = Array.from({ length: 300 }, (_, at) => [
    `shop/part${at}.py`,
    `from shop.base import scale\n\n\nclass Part${at}:\n    """One of many."""\n\n    def price(self, count: int) -> int:\n        return scale(count) + ${at}\n`,
  ])
  const lines = Array.from({ length: 2_000 }, (_, at) => `${at + 1}: a line of a long text that nobody reads whole\n`)
  const note = `${`${NOTE_LINE}\n`.repeat(40)}state: before\n`
  return {
    ...generatedPackage(300),
    'shop/__init__.py': '',
    'shop/base.py': 'def scale(count: int) -> int:\n    return count * 2\n',
    ...Object.fromEntries(python),
    'long.txt': lines.join(''),
    ...Object.fromEntries(['notes', 'note1', 'note2', 'note3'].map(name => [`${name}.txt`, note])),
  }
}
