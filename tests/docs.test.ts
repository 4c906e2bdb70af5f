import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { promisify, stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { pages } from '../scripts/docs/pages.ts'
import { commandSummaries } from '../scripts/docs/summaries.ts'
import { parseConfig } from '../src/config/file.ts'
import { dispatch } from '../src/surfaces/cli/dispatch.ts'
import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import { CLI } from './mcp/connect.ts'

const root = dirname(import.meta.dirname)
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const markdown = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md', { cwd: root })].map(path =>
  path.replaceAll('\\', '/'),
)

describe('the documentation', () => {
  it('is what npm run docs makes of it: the reference, the marked parts, and what every console block prints', async () => {
    const wanted = await pages(CLI)
    expect(wanted.size).toBeGreaterThan(5)
    for (const [path, text] of [...wanted, await commandSummaries()])
      expect({ path, text: read(path) }).toEqual({ path, text })
  }, 240_000)

  it('shows the first example as it is', () => {
    const shown = /```ts\n([\s\S]*?)```/.exec(read('README.md'))?.[1]
    expect(shown).toBe(read('examples/quick-start.ts'))
  })

  it.each(markdown)('%s links to files and headings that are there', page => {
    for (const [, target = ''] of withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const [path = '', heading] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      expect({ target, exists: existsSync(join(root, file)) }).toEqual({ target, exists: true })
      if (heading !== undefined) expect(headingsOf(file)).toContain(heading)
    }
  })

  it.each(['docs/configuration.md', 'docs/documentation-search.md', 'docs/policy.md', 'docs/transactions-and-undo.md'])(
    '%s shows configurations that can be loaded',
    async page => {
      const shown = [...read(page).matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text)
      expect(shown.length).toBeGreaterThan(0)
      for (const text of shown) await expect(parseConfig(text, page)).resolves.toBeDefined()
    },
  )

  it('shows the card as a person sees it', async () => {
    await using workspace = temporaryWorkspace({ 'src/price.ts': 'export const price = 10\nexport const tax = 2\n' })
    const [shown] = /Tool: edit[\s\S]*?Approve\? \(y\/n\/always\):/.exec(read('docs/getting-started.md')) ?? []
    expect(shown).toBeDefined()
    const input = { path: 'src/price.ts', edits: [{ old: 'price = 10', new: 'price = 12' }] }
    expect(await askedFor(workspace, input)).toContain(shown)
  })
})

/** What the terminal of a person shows who answers no. */
async function askedFor({ path, env }: { path: string; env: Readonly<Record<string, string>> }, input: object) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const stderr = Object.assign(new PassThrough(), { isTTY: true })
  let [shown, answered] = ['', false]
  stderr.setEncoding('utf8').on('data', text => {
    shown += text
    // What is typed is echoed, and must not be answered again.
    if (answered || !shown.includes('Approve?')) return
    answered = true
    stdin.write('n\n')
  })
  const terminal = { env, cwd: path, stdin, stdout: new PassThrough(), stderr, version: '0' }
  expect(await dispatch('call', ['edit', JSON.stringify(input)], terminal)).toBe(3)
  return stripVTControlCharacters(shown)
}

const withoutCode = (text: string): string => text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '')

/** Headings as the anchors that they get. */
const headingsOf = (path: string): readonly string[] =>
  read(path)
    .replaceAll(/```[\s\S]*?```/g, '')
    .split('\n')
    .filter(line => line.startsWith('#'))
    .map(line =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    )

const execute = promisify(execFile)

describe('the examples', () => {
  it.each<[name: string, ...says: (string | RegExp)[]]>([
    ['quick-start.ts', "changed: [ 'notes', 'notes/todo.md' ]", /^rejected: .*fs:write:package\.json/m],
    [
      'read-edit-undo.ts',
      '+export const price = 12',
      /conflict: .*changed since it was read/,
      'undone: "export const price = 99',
    ],
    ['approval-and-budget.ts', 'notes/two.md written', 'notes/three.md budget_exceeded', /rejected: .*not approved/],
    ['custom-tool.ts', '+// SPDX-License-Identifier: MIT', 'added: true', "code: 'outside_workspace'"],
    ['sage-tools.ts', 'dryRun: true', "code: 'EPERMISSION'", 'applied: true', "{ text: 'DONE' }"],
    [
      'autonomous-tools.ts',
      "snippet: 'export const price = 3'",
      'expected array to have >=1 items',
      "There is no tool 'delete_file'",
      "{ error: 'No active GitHub connection found' }",
    ],
    ['testing-kit.ts', /fail 0/],
  ])('%s does what it says', async (name, ...says) => {
    await using workspace = temporaryWorkspace({ 'package.json': '{ "scripts": { "test": "true" } }\n' })
    const before = workspace.snapshot()
    // `toolwright` means this package as it is published; `npm test` builds it before.
    const { stdout } = await execute(process.execPath, [join(root, 'examples', name)], {
      cwd: workspace.path,
      // Each of them loads the package, which Node then compiles once for all.
      env: { ...workspace.env, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    })
    for (const text of says) expect(stdout).toMatch(text)
    expect(workspace.snapshot()).toEqual(before)
  })

  it('are all run', () => {
    const known = [
      'quick-start',
      'read-edit-undo',
      'approval-and-budget',
      'licence-tool',
      'custom-tool',
      'sage-tools',
      'autonomous-tools',
      'testing-kit',
    ]
    expect(globSync('examples/*.ts', { cwd: root }).toSorted()).toEqual(
      known.map(name => join('examples', `${name}.ts`)).toSorted(),
    )
  })
})
