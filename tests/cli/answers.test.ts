// oxlint-disable vitest/no-standalone-expect -- `it.each` of `needs` is not seen by the rule
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { describe, expect, it } from 'vitest'
import { needs } from '../needs.ts'
import { useCli } from './rig.ts'
import { storedIn } from './stored.ts'

const cli = useCli({
  'notes.md': '# Notes\nTODO: one\n',
  'src/cart.ts':
    "import { round } from './round.ts'\n\nexport class Cart {\n  total(prices: readonly number[]): number {\n    return round(prices.reduce((sum, price) => sum + price, 0))\n  }\n}\n",
  'src/round.ts': 'export const round = (value: number): number => Math.round(value)\n',
  'data/Users.kt': 'package data\n\nfun load(id: Int) = id\n',
  'ui/Profile.kt': 'package ui\n\nimport data.load\n\nfun show() {\n    load(1)\n}\n\nfun main() {\n    show()\n}\n',
  'tsconfig.json': '{ "compilerOptions": { "allowImportingTsExtensions": true, "lib": ["esnext"], "noEmit": true } }\n',
})

/** What a person sees of a call, without what differs from run to run. */
async function transcript(tool: string, input: object, contract = 'toolwright'): Promise<string> {
  const args = ['call', tool, JSON.stringify(input), ...(contract === 'toolwright' ? [] : ['--contract', contract])]
  const { code, out, err } = await cli.run([...args, '--allow', 'fs:write', '--allow', 'exec'])
  const shown = out
    .replaceAll(cli.workspace.path, '/workspace')
    .replaceAll(/Time: [\d.]+ms/g, 'Time: 1ms')
    .replaceAll(/undo 0\w+/g, 'undo ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-01T00:00:00.000Z')
  return `$ toolwright ${args.join(' ')}\n${shown}${err}[exit ${code}]\n`
}

const stored = storedIn('answers')

const DIFF = '--- a/notes.md\n+++ b/notes.md\n@@ -1,2 +1,2 @@\n # Notes\n-TODO: one\n+TODO: two\n'
const PLAN = [
  { content: 'Gather context', activeForm: 'Gathering context' },
  { content: 'Map domains', activeForm: 'Mapping domains' },
]

const OWN: readonly (readonly [stored: string, tool: string, input: object])[] = [
  ['list', 'list', { path: 'src', sizes: true }],
  ['list-tree', 'list', { depth: 2 }],
  ['list-part', 'list', { depth: 2, limit: 2 }],
  ['read', 'read', { path: 'src/cart.ts', from: 3, to: 5 }],
  ['find', 'find', { glob: '*.ts' }],
  ['grep', 'grep', { pattern: 'round', path: 'src', before: 1 }],
  ['grep-counts', 'grep', { pattern: 'round', only: 'counts' }],
  ['symbols', 'symbols', { query: '', path: 'src/cart.ts' }],
  ['symbols-part', 'symbols', { query: '', path: 'src/cart.ts', limit: 1 }],
  ['references', 'references', { name: 'round', path: 'src/round.ts', waitMs: 45_000 }],
  ['callers', 'callers', { name: 'load', path: 'data/Users.kt' }],
  ['context', 'context', { path: 'src/cart.ts', line: 5, around: 1 }],
  ['index', 'index', { by: 'exports', value: 'round' }],
  ['graph', 'graph', { query: 'MATCH (f:Function) RETURN f.path, f.name ORDER BY f.path, f.name' }],
  ['effects', 'effects', {}],
  ['check', 'check', { schema: 'domain_map', data: { domains: [{}] } }],
  ['edit', 'edit', { path: 'notes.md', edits: [{ old: 'TODO: one', new: 'DONE: one\nTODO: two' }], effects: 'off' }],
  ['patch', 'patch', { diff: DIFF, check: true }],
  ['stage', 'stage', { action: 'begin' }],
  ['refactor', 'refactor', { kind: 'rename', symbol: 'round', path: 'src/round.ts', to: 'rounded', effects: 'off' }],
]

const OTHERS: readonly (readonly [tool: string, contract: string, input: object])[] = [
  ['todo_manager', 'autonomous', { items: PLAN }],
  ['validate_output', 'autonomous', { outputType: 'domain_map', data: { domains: [] } }],
  ['get_code_context', 'debug-assistant', { filePath: 'src/cart.ts', line: 5, contextLines: 5 }],
  ['find_callers_of_function', 'debug-assistant', { functionName: 'load', filePath: 'data/Users.kt' }],
  ['listFiles', 'superconnect', { directory: 'src', limit: 1 }],
  ['Read', 'sage', { file: 'notes.md' }],
  ['list_dir', 'cli-agent', { path: 'src' }],
]

describe('what a person sees of an answer', () => {
  it('has a stored file for each, and no other', () => {
    const others = OTHERS.map(([tool, contract]) => `${contract}-${tool}`)
    const own = OWN.map(([name]) => name)
    expect(stored.names()).toEqual([...own, ...others, 'run', 'sage-Bash'].toSorted())
  })

  it.each(OWN)('%s', async (name, tool, input) => {
    // An index that is still being read answers with what it has.
    if (tool === 'index') await cli.run(['index', 'build'])
    const seen = await transcript(tool, input)
    await expect(seen.replaceAll(/transaction 0\w+/g, 'transaction ID')).toMatchFileSnapshot(stored.file(name))
  })

  it.each(OTHERS)('%s of %s', async (tool, contract, input) => {
    await expect(await transcript(tool, input, contract)).toMatchFileSnapshot(stored.file(`${contract}-${tool}`))
  })

  needs('bubblewrap')('a command that fails', async () => {
    const input = { command: 'echo out; echo err >&2; exit 3' }
    await expect(await transcript('run', input)).toMatchFileSnapshot(stored.file('run'))
    await expect(await transcript('Bash', input, 'sage')).toMatchFileSnapshot(stored.file('sage-Bash'))
    expect((await cli.call('run', input, '--allow', 'exec')).code).toBe(1)
  })

  it('lets nothing in an answer steer the terminal, whichever kind it is', async () => {
    cli.workspace.write('evil\x1b[2J.txt', 'round \x1b]0;owned\x07\u202e\r\n')
    for (const [tool, input] of [
      ['list', {}],
      ['find', { glob: 'evil*' }],
      ['grep', { pattern: 'round' }],
      ['grep', { pattern: 'owned', only: 'counts' }],
    ] as const) {
      const { out } = await cli.run(['call', tool, JSON.stringify(input)])
      expect(out).toContain(String.raw`evil\x1b[2J.txt`)
      // oxlint-disable-next-line no-control-regex
      expect(out).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f\u202e]/)
    }
  })
})

describe('at a real terminal', () => {
  const CLI = join(import.meta.dirname, '../../dist/cli.cjs')

  const seenAt = (args: readonly string[], env: object): Promise<string> => {
    const { workspace } = cli
    const pty = spawn(process.execPath, [CLI, ...args], {
      cwd: workspace.path,
      cols: 100,
      rows: 20,
      env: { PATH: process.env['PATH'], TERM: 'xterm', ...workspace.env, ...env },
    })
    let shown = ''
    pty.onData(text => void (shown += text))
    return new Promise(resolve => pty.onExit(() => resolve(shown)))
  }

  it('colours an answer and marks what was looked for, unless NO_COLOR is set', async () => {
    const args = ['call', 'grep', '{"pattern":"round","path":"src/round.ts"}']
    const shown = await seenAt(args, {})
    expect(shown).toContain('\x1b[32m✓\x1b[0m grep')
    expect(shown).toContain('export const \x1b[1;31mround\x1b[0m = ')
    expect(await seenAt(args, { NO_COLOR: '1' })).not.toContain('\x1b[32m')
  })

  it('shows what is longer than the screen through the pager, and nothing else', async () => {
    cli.workspace.write('long.txt', 'line\n'.repeat(50))
    const env = { PAGER: 'sed s/^/paged:/' }
    expect(await seenAt(['call', 'read', '{"path":"long.txt"}'], env)).toContain('paged:\x1b[32m50\x1b[0m  line')
    expect(await seenAt(['call', 'read', '{"path":"long.txt"}', '--json'], env)).not.toContain('paged:')
    expect(await seenAt(['call', 'read', '{"path":"notes.md"}'], env)).not.toContain('paged:')
    expect(await seenAt(['call', 'read', '{"path":"long.txt"}'], { PAGER: 'no-such-pager' })).toContain(
      '50\x1b[0m  line',
    )
  })

  it.each([
    ['grep', ['line', 'long.txt'], /paged:.*50.*line/],
    ['find', ['*.made'], /paged:.*49\.made/],
    ['graph', ['UNWIND range(1, 50) AS n RETURN n'], /paged:50/],
  ])('shows a long answer of %s through the pager, and a short one or JSON without', async (name, args, last) => {
    cli.workspace.write('long.txt', 'line\n'.repeat(50))
    for (let at = 0; at < 50; at++) cli.workspace.write(`${at}.made`, '')
    // No answer here is about code: each program would read all of it for its graph.
    for (const code of ['src', 'data', 'ui']) rmSync(join(cli.workspace.path, code), { recursive: true })
    const env = { PAGER: 'sed s/^/paged:/' }
    expect(await seenAt([name, ...args], env)).toMatch(last)
    for (const more of [['--json'], ['--limit', '3']])
      expect(await seenAt([name, ...args, ...more], env)).not.toContain('paged:')
  })
})
