// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { openedCode, type OpenedCode } from './opened-code.ts'

const it = needs('bubblewrap')

const PROJECT = {
  'tsconfig.json':
    '{ "compilerOptions": { "module": "esnext", "target": "esnext", "lib": ["esnext"] }, "include": ["src"] }',
  'src/a.ts': 'export function f() {}\n',
  'src/b.ts': `import { f } from './a'\nexport function b() { f() }\n`,
}

const callersOf = async ({ engine }: OpenedCode, path = 'src/a.ts', depth = 1): Promise<string[]> => {
  const { callers } = await engine.callers({ name: 'f', path, depth, deadlineMs: 30_000 })
  return callers.map(({ path: file, line, chain }) => `${file}:${line} ${chain.join(' > ')}`)
}

describe('a language server follows', () => {
  it('files that another program creates, changes and removes', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    expect(await callersOf(code)).toEqual(['src/b.ts:2 b > f'])
    workspace.write('src/b.ts', `import { f } from './a'\n\nexport function other() { f() }\n`)
    workspace.write('src/c/new.ts', `import { f } from '../a'\nexport const c = () => f()\n`)
    expect(await callersOf(code)).toEqual(['src/b.ts:3 other > f', 'src/c/new.ts:2 c > f'])
    rmSync(join(workspace.path, 'src/b.ts'))
    expect(await callersOf(code)).toEqual(['src/c/new.ts:2 c > f'])
  })

  it('what is staged, and forgets it when it is taken back', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    code.stage('src/b.ts', `import { f } from './a'\n\n\nexport function staged() { f() }\n`)
    code.stage('src/new.ts', `import { f } from './a'\nexport function made() { f() }\n`)
    expect(await callersOf(code)).toEqual(['src/b.ts:4 staged > f', 'src/new.ts:2 made > f'])
    code.stage('src/b.ts', undefined)
    expect(await callersOf(code)).toEqual(['src/new.ts:2 made > f'])
    code.staging.clear()
    expect(await callersOf(code)).toEqual(['src/b.ts:2 b > f'])
  })

  it('no import into a directory that is only staged, and says so', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    code.stage('src/deep/made.ts', `import { f } from '../a'\nexport function made() { f() }\n`)
    code.stage('src/c.ts', `import { made } from './deep/made'\nexport const c = () => made()\n`)
    const ask = { depth: 1, deadlineMs: 30_000 }
    expect(await code.engine.callers({ ...ask, name: 'f', path: 'src/a.ts' })).toMatchObject({ partial: true })
    await expect(code.engine.callers({ ...ask, name: 'made', path: 'src/deep/made.ts' })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('src/deep/made.ts'),
    })
  })

  it('projects without a question so far, and files of no project', async () => {
    await using workspace = temporaryWorkspace({
      ...PROJECT,
      'tools/tsconfig.json': PROJECT['tsconfig.json'].replace('src', '.'),
      'tools/run.ts': `import { f } from '../src/a'\nexport const run = () => f()\n`,
      'scripts/build.ts': `import { f } from '../src/a'\nexport function build() { f() }\n`,
    })
    await using code = openedCode(workspace)
    expect(await callersOf(code)).toEqual([
      'scripts/build.ts:2 build > f',
      'src/b.ts:2 b > f',
      'tools/run.ts:2 run > f',
    ])
  })

  it('scripts without any project', async () => {
    await using workspace = temporaryWorkspace({
      'lib/a.js': `export function f() {}\n`,
      'lib/b.js': `import { f } from './a.js'\nexport const b = () => f()\n`,
    })
    await using code = openedCode(workspace)
    expect(await callersOf(code, 'lib/a.js')).toEqual(['lib/b.js:2 b > f'])
    workspace.write('lib/b.js', `import { f } from './a.js'\n\nexport const changed = () => f()\n`)
    expect(await callersOf(code, 'lib/a.js')).toEqual(['lib/b.js:3 changed > f'])
  })

  it('nothing into files that the call may not read', async () => {
    await using workspace = temporaryWorkspace({
      ...PROJECT,
      'src/secret.ts': `import { b } from './b'\nimport { f } from './a'\nexport function secret() { b(); f() }\n`,
      'src/open.ts': `import { secret } from './secret'\nexport const open = () => secret()\n`,
    })
    await using code = openedCode(workspace, { mayRead: path => path !== 'src/secret.ts' })
    expect(await callersOf(code, 'src/a.ts', 4)).toEqual(['src/b.ts:2 b > f'])
    const { places } = await code.engine.references({ name: 'f', path: 'src/a.ts', deadlineMs: 30_000 })
    expect(places.map(({ path }) => path)).toEqual(['src/b.ts', 'src/b.ts'])
    await expect(callersOf(code, 'src/secret.ts')).rejects.toMatchObject({ code: 'denied' })
  })

  it('the name alone: found by the index, refused where it is not clear or not there', async () => {
    await using workspace = temporaryWorkspace({
      ...PROJECT,
      'src/c.ts': 'export class A { run() {} }\nexport class B { run() {} }\nexport function b2() { new A().run() }\n',
      'src/d.ts': 'export function twice() {}\n',
      'src/e.ts': 'export function twice() {}\n',
    })
    await using code = openedCode(workspace)
    const ask = (name: string, path?: string) =>
      code.engine.callers({ name, depth: 1, deadlineMs: 30_000, ...(path && { path }) })
    expect((await ask('f')).callers).toHaveLength(1)
    expect((await ask('A.run')).callers).toMatchObject([{ name: 'b2', line: 3 }])
    await expect(ask('run', 'src/c.ts')).rejects.toMatchObject({
      code: 'ambiguous',
      hint: expect.stringMatching(/A\.run.*B\.run/),
    })
    await expect(ask('twice')).rejects.toMatchObject({
      code: 'ambiguous',
      hint: expect.stringMatching(/src\/d\.ts, src\/e\.ts/),
    })
    await expect(ask('nobody')).rejects.toMatchObject({ code: 'no_match' })
    await expect(ask('nobody', 'src/a.ts')).rejects.toMatchObject({
      code: 'no_match',
      hint: expect.stringContaining('f'),
    })
    await expect(ask('f', 'src/none.ts')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('a question that comes too soon, which is late and says so, and the next finds it ready', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    const early = code.engine.callers({ name: 'f', path: 'src/a.ts', depth: 1, deadlineMs: 1 })
    await expect(early).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('typescript') })
    expect(await callersOf(code)).toEqual(['src/b.ts:2 b > f'])
  })
})
