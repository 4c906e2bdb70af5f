import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workspaceState } from '../../../src/machine/state/directory.ts'
import { serverPlace } from '../../../src/machine/state/server-place.ts'
import { openTokens } from '../../../src/machine/state/tokens.ts'
import { startServer } from '../../../src/surfaces/http/start-server.ts'
import { temporaryWorkspace } from '../../../src/testing/index.ts'
import { openFixtures } from './fixture-server.ts'
import { forwardTo } from './forwarder.ts'

const root = join(import.meta.dirname, '../../..')
const SUITE = join(root, 'tools/mcp-clients/node_modules/@modelcontextprotocol/conformance/dist/index.js')

export const REQUIREMENTS = ['2026-07-28', '2025-11-25'] as const

export type Requirements = (typeof REQUIREMENTS)[number]

export interface SuiteResult {
  readonly code: number
  readonly output: string
  /** Scored scenarios in which every check passed. */
  readonly passed: readonly string[]
  readonly failed: readonly string[]
  /** Tools of the calls that went through our gates. */
  readonly journaled: ReadonlySet<string>
}

/** Runs the public conformance suite on our server with the tools, resources and prompts that the suite calls. */
export async function runSuite(requirements: Requirements): Promise<SuiteResult> {
  const workspace = temporaryWorkspace({ 'fixture.txt': 'one\n' })
  const output = mkdtempSync(join(tmpdir(), 'toolwright-mcp-conformance-'))
  const kit = await workspace.open()
  const tokens = openTokens(serverPlace(workspaceState(workspace.path, workspace.env).path))
  const server = await startServer({
    kits: [kit],
    env: workspace.env,
    config: undefined,
    approvalMs: 0,
    tokens,
    port: 0,
    openMcpClient: openFixtures,
    onError: error => console.error(error),
  })
  const forwarder = await forwardTo(server.url, tokens.add('suite', ['read', 'call'], new Date().toISOString()))
  try {
    const url = `http://127.0.0.1:${forwarder.port}/mcp`
    const args = ['server', '--url', url, '--requirements', requirements, '-o', output]
    const child = spawn(process.execPath, [SUITE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    child.stdout.on('data', chunk => (printed += chunk))
    child.stderr.on('data', chunk => (printed += chunk))
    const [code] = await once(child, 'close')
    const journaled = [...kit.workspace.journal.read()].flatMap(({ type, tool }) =>
      type === 'call' && typeof tool === 'string' ? [tool] : [],
    )
    return { code: Number(code), output: printed, ...scenariosIn(printed), journaled: new Set(journaled) }
  } finally {
    await forwarder.close()
    await server.stop()
    await workspace.remove()
    rmSync(output, { recursive: true, force: true })
  }
}

/** Reads the summary: a line for each scenario, and below it those that are not scored. */
function scenariosIn(printed: string): Pick<SuiteResult, 'passed' | 'failed'> {
  const [summary = '', unscored = ''] = printed.slice(printed.indexOf('=== SUMMARY ===')).split('\nNot scored')
  const namesIn = (text: string, mark: RegExp) => Array.from(text.matchAll(mark), ([, name = '']) => name)
  const others = new Set(namesIn(unscored, /^  [✓✗] (\S+) /gmu))
  const scored = (mark: RegExp) => namesIn(summary, mark).filter(name => !others.has(name))
  return { passed: scored(/^✓ (\S+):/gmu), failed: scored(/^✗ (\S+):/gmu) }
}
