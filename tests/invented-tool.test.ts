import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../src/testing/index.ts'
import { connect } from './mcp/connect.ts'

const repository = join(import.meta.dirname, '..')

/** What a tool with an engine and settings of its own adds to the sources: three files, and four lines. */
const FILES = {
  'machine/greeting/greet.ts': `export interface GreetingEngine {
  greet(name: string, times: number): Promise<readonly { readonly text: string }[]>
}
export const openGreeting = (hello: string): GreetingEngine => ({
  greet: async (name, times) => Array.from({ length: times }, () => ({ text: \`\${hello}, \${name}\` })),
})
`,
  'machine/greeting/settings.ts': `import { z } from 'zod'
export const greeting = z.strictObject({ hello: z.string() }).describe('How the tool greet begins')
`,
  'contracts/toolwright/greet.ts': `import { defineTool, z } from '../tool.ts'
export const greet = defineTool({
  name: 'greet',
  version: '1.0.0',
  description: 'Greet someone. \`times\` repeats it.',
  input: () => z.strictObject({ name: z.string(), times: z.int().min(1).max(5).optional() }),
  output: () => z.strictObject({ greetings: z.array(z.strictObject({ text: z.string() })) }),
  effects: [],
  claims: () => [],
  run: async ({ name, times = 1 }, { greeting }) => ({ greetings: [...(await greeting.greet(name, times))] }),
  examples: [{ input: { name: 'Ann' } }],
})
`,
}
const LINES: readonly (readonly [file: string, place: string, line: string])[] = [
  ['contracts/toolwright/contract.ts', "import { grep } from './grep.ts'", "import { greet } from './greet.ts'"],
  ['contracts/toolwright/contract.ts', '  grep,', '  greet,'],
  [
    'engines/registry.ts',
    '  async plan({ parts,',
    "  greeting: async ({ parts }: EngineCall) => (await import('../machine/greeting/greet.ts')).openGreeting(parts.settings.greeting?.hello ?? 'Hello'),",
  ],
  ['engines/settings.ts', "import type { z } from 'zod'", "import { greeting } from '../machine/greeting/settings.ts'"],
  ['engines/settings.ts', '{ documentation } as', '{ greeting, documentation } as'],
]

/** Asks the library, and the HTTP server, of the sources beside it. */
const PROGRAM = `import { openToolkit } from './src/index.ts'
const kit = await openToolkit({ root: process.argv[2], env: process.env })
const { outcome } = await kit.run('greet', { name: 'library' })
console.log(JSON.stringify(outcome))
await kit.close()
`

let base = ''
let workspace: TemporaryWorkspace
beforeAll(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
  base = mkdtempSync(join(tmpdir(), 'toolwright-invented-'))
  cpSync(join(repository, 'src'), join(base, 'src'), { recursive: true, filter: from => !from.endsWith('.test.ts') })
  cpSync(join(repository, 'package.json'), join(base, 'package.json'))
  for (const name of ['node_modules', 'models']) symlinkSync(join(repository, name), join(base, name))
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(join(base, 'src', file, '..'), { recursive: true })
    writeFileSync(join(base, 'src', file), text)
  }
  for (const [file, place, line] of LINES) {
    const path = join(base, 'src', file)
    const text = readFileSync(path, 'utf8')
    if (text.split(place).length !== 2) throw new Error(`${file} has not one place '${place}'`)
    // In the place of a list, or as a line before it.
    writeFileSync(
      path,
      text.replace(place, () => (place.startsWith('{') ? line : `${line}\n${place}`)),
    )
  }
  writeFileSync(join(base, 'ask.ts'), PROGRAM)
  mkdirSync(workspace.env['TOOLWRIGHT_CONFIG_HOME'] ?? '', { recursive: true })
  writeFileSync(
    join(workspace.env['TOOLWRIGHT_CONFIG_HOME'] ?? '', 'config.json'),
    JSON.stringify({ greeting: { hello: 'Good day' } }),
  )
})
afterAll(async () => {
  rmSync(base, { recursive: true, force: true })
  await workspace.remove()
})

const run = async (...args: readonly string[]): Promise<string> => {
  const options = { cwd: workspace.path, env: workspace.env }
  return (await promisify(execFile)(process.execPath, [join(base, args[0] ?? ''), ...args.slice(1)], options)).stdout
}
const CLI = 'src/surfaces/cli/main.ts'

describe('a tool with an engine of its own, in its files and one line each', () => {
  it('is called by the library, with its settings', async () => {
    expect(JSON.parse(await run('ask.ts', workspace.path))).toMatchObject({
      ok: true,
      data: { greetings: [{ text: 'Good day, library' }] },
    })
  }, 60_000)

  it('is a command, as its schema says, with help, and is shown to people', async () => {
    const shown = await run(CLI, 'greet', 'Ann', '--times', '2')
    expect(shown).toContain('greet (2 greetings)')
    expect(shown.match(/Good day, Ann/g)).toHaveLength(2)
    expect(await run(CLI, 'help', 'greet')).toMatch(
      /^Greet someone\. --times repeats it\.\n\ntoolwright greet NAME \[options\]\n/,
    )
    expect(await run(CLI, 'tools')).toContain('greet')
    expect(JSON.parse(await run(CLI, 'call', 'greet', '{"name":"Ann"}', '--json'))).toMatchObject({ ok: true })
  }, 120_000)

  it('is listed and called over MCP, compact and with text for a model', async () => {
    await using mcp = await connect(workspace, { program: join(base, CLI) })
    const { tools } = await mcp.client.listTools()
    const listed = tools.find(({ name }) => name === 'greet')
    expect(listed?.description).toContain('Greet someone')
    // Said by the description, so that the compact form leaves it out.
    expect(listed?.inputSchema).toMatchObject({ properties: { name: { type: 'string' }, times: { type: 'integer' } } })
    const answer = await mcp.call('greet', { name: 'Ann' })
    expect(answer.text).toContain('Good day, Ann')
  }, 60_000)

  it('is called over HTTP', async () => {
    const server = spawn(process.execPath, [join(base, CLI), 'serve', '--json', '--port', '0'], {
      cwd: workspace.path,
      env: workspace.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [line] = await once(server.stdout, 'data')
      const { url, tokenFile } = JSON.parse(String(line))
      const answer = await fetch(new URL('/v1/calls', url), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ tool: 'greet', input: { name: 'Ann' } }),
      })
      expect(await answer.json()).toMatchObject({ ok: true, data: { greetings: [{ text: 'Good day, Ann' }] } })
    } finally {
      server.kill()
      await once(server, 'exit')
    }
  }, 60_000)
})
