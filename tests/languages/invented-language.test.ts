import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const repository = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** A copy of the sources with one folder more in `languages`, and its two lines in the registry. */
describe('a language that is added as a folder', () => {
  let copy: string
  let workspace: string

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'toolwright-languages-'))
    cpSync(join(repository, 'src'), join(copy, 'src'), { recursive: true })
    cpSync(join(repository, 'package.json'), join(copy, 'package.json'))
    symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'))
    cpSync(join(repository, 'tests/data/languages/brew'), join(copy, 'src/languages/brew'), { recursive: true })
    const registry = join(copy, 'src/languages/registry.ts')
    const text = readFileSync(registry, 'utf8')
    writeFileSync(
      registry,
      `import { brew } from './brew/brew.ts'\n${text.replace('  ...styles,\n]', '  ...styles,\n  brew,\n]')}`,
    )
    workspace = join(copy, 'workspace')
    mkdirSync(workspace)
    writeFileSync(join(workspace, 'base.brew'), 'pour() {\n  echo "$1"\n}\n')
    writeFileSync(join(workspace, 'latte.brew'), 'latte() {\n  pour milk\n}\n\nlatte\n')
  })

  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  async function answer(...args: readonly string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [join(copy, 'src/surfaces/cli/main.ts'), ...args], {
      cwd: workspace,
      env: { PATH: process.env['PATH'], HOME: copy, XDG_STATE_HOME: join(copy, 'state'), TOOLWRIGHT_RESIDENT: '0' },
    })
    return stdout
  }

  it('has its symbols', async () => {
    expect(await answer('symbols', 'latte.brew')).toContain('latte')
  })

  it('has its callers, across files', async () => {
    const { data } = JSON.parse(await answer('callers', 'pour', '--file', 'base.brew', '--json'))
    expect(JSON.stringify(data)).toContain('"name":"latte","path":"latte.brew","line":2')
  })

  it('is found by its words', async () => {
    expect(await answer('grep', 'milk')).toContain('latte.brew:2:')
  })
})
