import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isSecretFile } from '../src/kernel/secret-files.ts'
import { ownIndex } from '../src/knowledge/index/index-source.ts'
import { openIndex } from '../src/knowledge/index/open-index.ts'
import type { IndexEngine } from '../src/knowledge/index/types.ts'
import { openRoot } from '../src/machine/workspace/root.ts'
import { createStaging } from '../src/machine/workspace/staging.ts'
import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import { hiding, stagingIn, type Sight } from './resident/searches.ts'

const FILES = {
  'src/index.ts': "export * from './a.ts'\nexport * from './secret.ts'\n",
  'src/a.ts': 'export const alpha = 1\nexport function omega() {}\n',
  'src/secret.ts': 'export const hush = 1\n',
  'app/button.jsx': 'export const Button = () => <button/>\n',
}

function opened(files: Readonly<Record<string, string>> = FILES) {
  const workspace = temporaryWorkspace(files)
  const root = openRoot(workspace.path)
  const source = ownIndex(root, { path: join(workspace.base, 'own') }, {})
  return {
    root,
    fileAt: (path: string) => join(workspace.path, path),
    engine: (sight: Sight = {}): IndexEngine =>
      openIndex({
        root,
        source,
        staging: sight.staging ?? createStaging(),
        mayRead: sight.mayRead ?? (() => true),
        secretFiles: sight.secretFiles ?? 'open',
        hides: sight.hides,
      }),
    async [Symbol.asyncDispose]() {
      await source.close()
      root.close()
      await workspace.remove()
    },
  }
}

const found = async (engine: IndexEngine, value: string) => {
  const { files, total } = await engine.query({ by: 'export', value }, { limit: 10 })
  expect(total).toBe(files.length)
  return files.map(({ path }) => path)
}

describe('the index as one call sees it', () => {
  it('leaves files that it may not read out of answers, pages, counts and facts', async () => {
    await using place = opened()
    const engine = place.engine(hiding('**/secret.*'))
    expect(await found(place.engine(), 'hush')).toEqual(['src/index.ts', 'src/secret.ts'])
    expect(await found(engine, 'hush')).toEqual([])
    expect((await engine.facts('src/index.ts'))?.exports).toEqual(['alpha', 'omega'])
    const all = await place.engine().status()
    const { files, total } = await engine.query({ by: 'prefix', value: 'src/' }, { limit: 10 })
    expect({ paths: files.map(({ path }) => path), total }).toEqual({ paths: ['src/a.ts', 'src/index.ts'], total: 2 })
    expect(await engine.facts('src/secret.ts')).toBeUndefined()
    const status = await engine.status()
    expect(status.totalFiles).toBe(all.totalFiles - 1)
    expect(status.totalExports).toBe(all.totalExports - 2)
    expect(status.byTag['typescript']).toBe((all.byTag['typescript'] ?? 0) - 1)
  })

  it('tells by neither hash nor time of what happens in files that it may not read', async () => {
    await using place = opened()
    const hidden = hiding('**/secret*')
    const told = async (sight: Sight) => {
      const { repoHash, generatedAt } = await place.engine(sight).status()
      expect((await place.engine(sight).query({ by: 'all' }, { limit: 1 })).repoHash).toBe(repoHash)
      return { repoHash, generatedAt }
    }
    await found(place.engine(), 'hush')
    const before = await told(hidden)
    expect((await told({})).repoHash).not.toBe(before.repoHash)
    let all = await told({})
    for (const change of [
      () => writeFileSync(place.fileAt('src/secret.ts'), 'export const louder = 1\n'),
      () => writeFileSync(place.fileAt('src/secret2.ts'), 'export const other = 1\n'),
      () => rmSync(place.fileAt('src/secret.ts')),
      () => rmSync(place.fileAt('src/secret2.ts')),
    ]) {
      await pause(5)
      change()
      expect(await told(hidden)).toEqual(before)
      const now = await told({})
      expect(now.repoHash).not.toBe(all.repoHash)
      expect(now.generatedAt).toBeGreaterThan(all.generatedAt)
      all = now
    }
    await pause(5)
    writeFileSync(place.fileAt('src/a.ts'), 'export const beta = 1\n')
    const after = await told(hidden)
    expect(after.repoHash).not.toBe(before.repoHash)
    expect(after.generatedAt).toBeGreaterThan(before.generatedAt)
    // With nothing left to hide, both see the same.
    expect(after).toEqual(await told({}))
  })

  it('knows nothing of files that hold secrets, nor of what happens in them', async () => {
    const keys = '.aws/keys.ts'
    await using place = opened({
      [keys]: 'export const hush = 1\n',
      'src/a.ts': "export * from '../.aws/keys.ts'\nexport const alpha = 1\n",
    })
    const isOpen = (path: string) => !isSecretFile(path)
    const closed: Sight = { mayRead: isOpen, secretFiles: 'closed' }
    const some: Sight = { mayRead: path => isOpen(path) || path === keys, secretFiles: 'some' }
    expect(await found(place.engine(), 'hush')).toEqual([keys, 'src/a.ts'])
    expect(await found(place.engine(some), 'hush')).toEqual([keys, 'src/a.ts'])
    expect(await found(place.engine({ ...some, mayRead: isOpen }), 'hush')).toEqual([])
    expect(await found(place.engine(closed), 'hush')).toEqual([])
    expect((await place.engine(closed).facts('src/a.ts'))?.exports).toEqual(['alpha'])
    expect((await place.engine(closed).known('src/a.ts'))?.exports).toEqual(['alpha'])
    expect(await place.engine(closed).facts(keys)).toBeUndefined()
    const { pending: _, state: __, ...before } = await place.engine(closed).status()
    expect(before.totalFiles).toBe((await place.engine().status()).totalFiles - 1)
    for (const change of [
      () => writeFileSync(place.fileAt(keys), 'export const louder = 1\n'),
      () => writeFileSync(place.fileAt('.aws/more.ts'), 'export const other = 1\n'),
      () => rmSync(place.fileAt(keys)),
    ]) {
      await pause(5)
      change()
      expect(await place.engine(closed).status()).toMatchObject(before)
    }
  })

  it('takes a path that is hidden and staged out of the hash once', async () => {
    await using place = opened()
    const hidden = hiding('**/secret.*')
    const { repoHash } = await place.engine(hidden).status()
    const { staging, workspace } = stagingIn(place.root)
    workspace.put('src/secret.ts', Buffer.from('export const staged = 1\n'))
    expect((await place.engine({ ...hidden, staging }).status()).repoHash).toBe(repoHash)
    expect((await place.engine({ staging }).status()).repoHash).not.toBe(repoHash)
  })

  it('follows names that settings give to files, with no index open too, as they are staged and may be read', async () => {
    await using place = opened({
      'tsconfig.base.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      'app/tsconfig.json': '{ "extends": "../tsconfig.base.json" }',
      'package.json':
        '{ "name": "shop", "exports": { "./lib": "./lib/main.js" }, "imports": { "#in": "./src/in.js" } }',
      'src/a.ts': 'export const alpha = 1\n',
      'src/in.ts': 'export const inner = 1\n',
      'lib/main.ts': 'export const main = 1\n',
      'lib/next.ts': 'export const next = 1\n',
      'app/index.ts': "export * from '@/a'\nexport * from 'shop/lib'\nexport * from '#in'\n",
    })
    const { staging, workspace } = stagingIn(place.root)
    workspace.put('package.json', Buffer.from('{ "name": "shop", "exports": { "./lib": "./lib/next.ts" } }'))
    for (const isOpen of [false, true]) {
      if (isOpen) await found(place.engine(), 'alpha')
      const seen = async (sight?: Sight) => (await place.engine(sight).facts('app/index.ts'))?.exports
      expect(await seen()).toEqual(['alpha', 'main', 'inner'])
      expect(await seen({ staging })).toEqual(['alpha', 'next'])
      expect(await seen(hiding('tsconfig*'))).toEqual(['main', 'inner'])
    }
  })

  it('follows names of packages of the workspace, with no index open by the links of package managers', async () => {
    await using place = opened({
      'app/index.ts': "export * from '@shop/core'\nexport * from '@shop/hush'\nexport * from 'react'\n",
      'packages/core/package.json': '{ "name": "@shop/core", "main": "dist/index.js" }',
      'packages/core/src/index.ts': "export * from '@shop/far'\nexport const core = 1\n",
      'packages/far/package.json': '{ "name": "@shop/far" }',
      'packages/far/index.ts': 'export const far = 1\n',
      'packages/hush/package.json': '{ "name": "@shop/hush" }',
      'packages/hush/index.ts': 'export const hush = 1\n',
      'node_modules/react/package.json': '{ "name": "react", "main": "index.js" }',
      'node_modules/react/index.js': 'exports.useState = 1\n',
    })
    mkdirSync(place.fileAt('node_modules/@shop'))
    for (const name of ['core', 'far', 'hush'])
      symlinkSync(`../../packages/${name}`, place.fileAt(`node_modules/@shop/${name}`))
    for (const isOpen of [false, true]) {
      if (isOpen) await found(place.engine(), 'core')
      const seen = async (sight?: Sight) => (await place.engine(sight).facts('app/index.ts'))?.exports
      expect(await seen()).toEqual(['core', 'far', 'hush'])
      expect(await seen(hiding('packages/hush/package.json'))).toEqual(['core', 'far'])
      expect(await seen(hiding('packages/hush/*.ts'))).toEqual(['core', 'far'])
    }
  })

  it('tells at a glance of nothing that settings lead to which may not be read', async () => {
    await using place = opened({
      'app/index.ts': "export * from 'p'\n",
      'app/p/package.json': '{ "name": "p" }',
      'app/p/index.ts': 'export const near = 1\n',
      'far/package.json': '{ "name": "p" }',
      'far/index.ts': 'export const far = 1\n',
    })
    await found(place.engine(), 'near')
    const seen = async (sight?: Sight) => (await place.engine(sight).known('app/index.ts'))?.exports
    await expect.poll(() => seen()).toEqual(['near'])
    await expect.poll(() => seen(hiding('app/p/package.json'))).toEqual(['far'])
    await expect.poll(() => seen(hiding('**/package.json'))).toEqual([])
  })

  it('knows staged edits, new files and removals, and what they pass on', async () => {
    await using place = opened()
    expect(await found(place.engine(), 'alpha')).toEqual(['src/a.ts', 'src/index.ts'])
    const before = await place.engine().status()
    const { staging, workspace } = stagingIn(place.root)
    const engine = place.engine({ staging })
    workspace.put('src/a.ts', Buffer.from('export const edited = 1\n'))
    expect(await found(engine, 'edited')).toEqual(['src/a.ts', 'src/index.ts'])
    expect(await found(engine, 'alpha')).toEqual([])
    expect((await engine.facts('src/index.ts'))?.exports).toEqual(['edited', 'hush'])
    workspace.put('src/new.ts', Buffer.from('export class Fresh {}\n'))
    expect(await found(engine, 'Fresh')).toEqual(['src/new.ts'])
    expect((await engine.query({ by: 'symbol', value: 'Fresh' }, { limit: 1 })).total).toBe(1)
    const times = async () => (await engine.query({ by: 'prefix', value: 'src/' }, { limit: 9 })).files
    for (const { mtimeMs } of await times()) expect(Math.abs(Date.now() - mtimeMs)).toBeLessThan(600_000)
    expect(await times()).toEqual(await times())
    workspace.remove('src/secret.ts')
    expect(await found(engine, 'hush')).toEqual([])
    const after = await engine.status()
    expect(after.totalFiles).toBe(before.totalFiles)
    expect(after.repoHash).not.toBe(before.repoHash)
    // Nothing of it is on disk.
    expect(await found(place.engine(), 'alpha')).toEqual(['src/a.ts', 'src/index.ts'])
    expect((await place.engine().status()).repoHash).toBe(before.repoHash)
  })
})
