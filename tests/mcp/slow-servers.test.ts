// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, vi } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { CLI, connect } from './connect.ts'

const it = needs('bubblewrap')
const FAKE = readFileSync(join(import.meta.dirname, '..', 'code', 'fakes', 'server.mjs'), 'utf8')
const LOAD_MS = 8_000
const ASKED = { name: 'main', path: 'a.py' }

/** A workspace whose Python and TypeScript are served by a fake that loads for long. */
function slowWorkspace(): TemporaryWorkspace {
  const workspace = temporaryWorkspace({
    'server.mjs': FAKE,
    'mode.txt': `load ${LOAD_MS}`,
    'a.py': 'def main():\n  main()\n',
    'a.ts': 'export function area(w: number) {\n  return w\n}\n',
    'index.ts': `export * from './a.ts'\n`,
    'b.ts': `import { area } from './index.ts'\nexport const b = () => area(1)\n`,
  })
  const home = workspace.env['TOOLWRIGHT_CONFIG_HOME'] ?? ''
  const fake = { language: 'fake', command: process.execPath, args: [join(workspace.path, 'server.mjs')] }
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'config.json'), JSON.stringify({ languageServers: [{ ...fake, extensions: ['py', 'ts'] }] }))
  return workspace
}

/** The language servers that the process of a workspace runs; fails where there is no such process. */
async function serversOf({ path, env }: TemporaryWorkspace): Promise<readonly string[]> {
  const asked = [CLI, 'up', '--status', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, asked, { cwd: path, env: { ...env } })
  const { processes }: { processes: readonly { name: string }[] } = JSON.parse(stdout)
  return processes.map(({ name }) => name)
}

it('a question over MCP is answered from the text while its server loads, and by the server when it is asked again', async () => {
  await using workspace = slowWorkspace()
  await using server = await connect(workspace, { protocol: 'modern' })
  const first = await server.call('references', ASKED)
  expect(first.structured.data).toMatchObject({ basis: 'syntax', provisional: true, partial: true })
  expect(first.structured.data.why).toContain('Give it more time with "waitMs"')
  expect(`${first.text}${first.structured.data.why}`).not.toContain('toolwright up')
  const told: (string | undefined)[] = []
  const onprogress = ({ message }: { message?: string | undefined }) => told.push(message)
  const second = await server.call('references', { ...ASKED, waitMs: 120_000 }, { onprogress })
  expect(second.structured.data).toMatchObject({ basis: 'fake', partial: false })
  expect(told.join('\n')).toMatch(/^fake: Indexing \d+\/40 files \d+ %$/m)
}, 240_000)

it('a question that does not wait for the process to start has its server load there all the same', async () => {
  await using workspace = slowWorkspace()
  await using server = await connect(workspace, { protocol: 'modern' })
  const first = await server.call('callers', { ...ASKED, waitMs: 20 })
  expect(first.structured.data).toMatchObject({ basis: 'syntax', provisional: true, partial: true, unknown: [] })
  expect(first.structured.data.why).toMatch(
    /^The process of this workspace was still starting .*\. Give it more time with "waitMs", or ask again$/,
  )
  expect(first.text).not.toContain('toolwright up')
  await vi.waitFor(async () => expect(await serversOf(workspace)).toEqual(['fake']), 60_000)
}, 240_000)

it('callers in TypeScript are told from the text while its server loads', async () => {
  await using workspace = slowWorkspace()
  await using server = await connect(workspace, { protocol: 'modern' })
  const { structured } = await server.call('callers', { name: 'area', path: 'a.ts' })
  expect(structured.data).toMatchObject({
    basis: 'syntax',
    provisional: true,
    partial: true,
    callers: [{ path: 'b.ts', line: 2 }],
  })
}, 240_000)
