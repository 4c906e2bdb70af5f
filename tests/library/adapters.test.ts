import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, root } from '../../scripts/root.mjs'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { startFakeModel } from '../clients/fake-model.ts'

const folder = at('tools', 'model-libraries')
const examples = globSync('*.ts', { cwd: join(folder, 'examples') }).toSorted()

/** A project that has the libraries and this package installed. */
let project: string
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'toolwright-adapters-'))
  const modules = join(project, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(folder, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(folder, 'node_modules', name), join(modules, name))
  symlinkSync(root, join(modules, 'toolwright'))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }))
  for (const name of examples) writeFileSync(join(project, name), readFileSync(join(folder, 'examples', name), 'utf8'))
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

async function run(file: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [file, ...args], { cwd, env: { ...process.env, ...env } })
  let [out, err] = ['', '']
  child.stdout.on('data', chunk => (out += chunk))
  child.stderr.on('data', chunk => (err += chunk))
  const [code] = await once(child, 'close')
  return { code, out, err }
}

it('there is an example for each adapter, and each is on the page', () => {
  const page = readFileSync(at('docs', 'model-libraries.md'), 'utf8')
  expect(examples).toEqual(['ai-sdk.ts', 'anthropic.ts', 'gemini.ts', 'langchain.ts', 'openai.ts'])
  for (const name of examples) expect(page).toContain(readFileSync(join(folder, 'examples', name), 'utf8').trim())
})

it("the examples compile with the libraries' own types", async () => {
  const { out } = await run(at('node_modules', 'typescript', 'bin', 'tsc'), ['-p', '.', '--pretty', 'false'], folder)
  expect(
    out.split('\n').filter(line => /^(examples|\.\.\/\.\.\/src\/(adapters|surfaces\/adapters))/.test(line)),
  ).toEqual([])
})

describe.each(examples)('%s', name => {
  it('asks a model, makes its calls, and prints its answer', async () => {
    await using model = await startFakeModel({
      'What does a.txt say?': [
        [
          { tool: 'read', input: { path: 'a.txt' } },
          { tool: 'write', input: { path: 'b.txt', content: 'b\n', expect: 'absent' } },
        ],
        `It says one: ${basename(name)}`,
      ],
    })
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
    const { code, out, err } = await run(join(project, name), [], workspace.path, {
      ...Object.fromEntries(
        Object.entries(workspace.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: 'x',
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'x',
      GOOGLE_GEMINI_BASE_URL: model.url,
      GEMINI_API_KEY: 'x',
    })
    expect([code, out, code === 0 ? '' : err]).toEqual([0, `It says one: ${name}\n`, ''])
    // The model read the line, and that no one could be asked about the write.
    expect(model.heard()).toContain('1\\tone')
    expect(model.heard()).toContain('needs approval')
    expect(Object.keys(workspace.snapshot())).toEqual(['a.txt'])
  })
})
