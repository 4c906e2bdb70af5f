import { describe, expect, it } from 'vitest'
import type { FileTable } from '../index/table/file-table.ts'
import { createByteCache } from './byte-cache.ts'
import { queryRepository } from './index-repository.ts'
import type { RepositorySource } from './types.ts'

const TEXTS: Readonly<Record<string, string>> = {
  'app/index.ts': "export * from '@shop/core'\nexport * from '~/near'\n",
  'app/tsconfig.json': '{ "compilerOptions": { "paths": { "~/*": ["../lib/*"] } } }',
  'core/package.json': '{ "name": "@shop/core", "main": "main.js" }',
  'core/main.ts': 'export const core = 1\n',
  'lib/near.ts': 'export const near = 1\n',
}
const source: RepositorySource = {
  version: 'one',
  files: async () => Object.entries(TEXTS).map(([path, { length: size }]) => ({ path, kind: 'file', size, sha: path })),
  hidden: async () => [],
  directory: async () => [],
  read: async path => ({ bytes: Buffer.from(TEXTS[path] ?? ''), size: TEXTS[path]?.length ?? 0 }),
}

describe('the index of a repository', () => {
  it('follows the names that package.json and tsconfig.json give to files', async () => {
    const parts = { tables: createByteCache<FileTable>(1e6), deadline: Infinity }
    const { files } = await queryRepository(source, { by: 'prefix', value: 'app/index.ts' }, { limit: 1 }, parts)
    expect(files[0]?.exports).toEqual(['core', 'near'])
  })
})
