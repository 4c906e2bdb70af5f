import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EXAMPLE_FILES, isSecretFile, SECRET_FILES } from './secret-files.ts'

/** A name that a glob of the list is about. */
const nameFor = (glob: string): string => glob.replaceAll('*', '.local')

describe('isSecretFile', () => {
  it.each(SECRET_FILES)('knows %s at any depth and in any case', glob => {
    for (const name of [nameFor(glob), glob.replaceAll('*', ''), glob.replaceAll('*', 'x')].filter(isName))
      for (const path of [name, `deep/er/${name}`, name.toUpperCase(), `Deep/${name.toUpperCase()}`])
        expect([path, isSecretFile(path)]).toEqual([path, true])
  })

  it.each(['.ENV', '.env.', '.env ', '．env', '.ｅnv', '.env\u200b', 'ID_RSA', 'a/.SSH/config', '.env::$DATA'])(
    'takes %j for what it means where names are read forgivingly',
    path => expect(isSecretFile(path)).toBe(true),
  )

  it.each([...EXAMPLE_FILES, ...EXAMPLE_FILES.map(name => name.toUpperCase())])('lets %s be read', name => {
    expect(isSecretFile(name)).toBe(false)
    expect(isSecretFile(`deep/er/${name}`)).toBe(false)
    expect(isSecretFile(`${name}.local`)).toBe(true)
  })

  it.each([
    ['env', 'src/env.ts', 'a.env', 'my.envelope', '.environments/a.txt', '.env/bin/python'],
    ['id_rsa.pub', 'my_id_rsa', 'pem', 'keys.ts', 'a.keys', 'monkey', 'src/key'],
    ['.ssh', '.ssh/keys/a', 'ssh/config', 'x.ssh/config', '.aws/sso/cache.json', 'kube/config', '.kube/cache'],
    ['config.json', 'docker/config.json', 'gcloud/a', 'git/credentials', 'gh/hosts.yml', 'credentials', 'npmrc'],
  ])('is about no other name: %s …', (...paths) => {
    expect(paths.filter(isSecretFile)).toEqual([])
  })
})

const isName = (name: string): boolean => !/(^|\/)$/.test(name)

describe('docs/policy.md', () => {
  it('lists exactly the files of the list, and the examples', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/policy.md'), 'utf8')
    const [, section = ''] = /^## Files that hold secrets\n([^]*?)^## /m.exec(page) ?? []
    const [, table = ''] = /^\| files .*\n\|[ -|]*\n((?:\|.*\n)*)/m.exec(section) ?? []
    const rows = table.split('\n').filter(Boolean)
    const listed = (some: readonly string[]) =>
      some.flatMap(row => [...row.matchAll(/`([^`]+)`/g)].map(([, glob]) => glob)).toSorted()
    const isExample = (row: string) => row.startsWith('| not these')
    expect(listed(rows.filter(row => !isExample(row)))).toEqual([...SECRET_FILES].toSorted())
    expect(listed(rows.filter(isExample))).toEqual([...EXAMPLE_FILES].toSorted())
  })
})
