import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isSecretFile } from '../../src/kernel/secret-files.ts'
import { startBuilt, besideScan, type BesideScan } from './beside-scan.ts'
import { useWorlds } from './rig.ts'
import { hiding, searchOf, type Sight } from './searches.ts'

const worlds = useWorlds(afterAll)
const FILES = {
  'a.txt': 'needle\n',
  '.env': 'needle\nneedle\n',
  '.env.example': 'needle\n',
  'deep/.ENV': 'needle\n',
  'deep/er/id_rsa': 'needle\n',
  'certs/a.pem': 'needle\n',
  'certs/b.pem': 'other\n',
  '.ssh/config': 'needle\n',
  'src/b.ts': 'export const needle = 1\n',
}
const READABLE = ['.env.example', 'a.txt', 'src/b.ts']
const CLOSED: Sight = { mayRead: path => !isSecretFile(path), mayList: () => true, secretFiles: 'closed' }
const SOME: Sight = { ...CLOSED, mayRead: path => !isSecretFile(path) || path === '.env', secretFiles: 'some' }
const OPTIONS = { patterns: ['needle'], maxResults: 100, timeoutMs: 30_000 }
const FIND = { maxResults: 100, maxDepth: 100 }

let place: BesideScan
beforeAll(async () => {
  const world = worlds.make(FILES)
  worlds.seen(await startBuilt(world))
  place = besideScan(world)
}, 60_000)
afterAll(() => place.close())

/** What the process and a scan give alike, and that it was the process. */
async function greps(sight: Sight, options: object = {}) {
  const { freshness, ...ours } = await searchOf(place.root, place.resident, sight).grep({ ...OPTIONS, ...options })
  const { freshness: _, ...theirs } = await searchOf(place.root, undefined, sight).grep({ ...OPTIONS, ...options })
  expect(ours).toEqual(theirs)
  expect(freshness.source).toBe('index')
  return { paths: ours.matches.map(({ path }) => path), total: ours.total, filesSearched: ours.filesSearched }
}

describe('a search by the process of a workspace', () => {
  it('neither shows nor counts files that hold secrets', async () => {
    expect(await greps(CLOSED)).toEqual({ paths: READABLE, total: 3, filesSearched: 3 })
    expect(await greps(CLOSED, { directory: 'certs' })).toEqual({ paths: [], total: 0, filesSearched: 0 })
    expect(await greps(CLOSED, { globs: ['.env*'] })).toEqual({
      paths: ['.env.example'],
      total: 1,
      filesSearched: 1,
    })
    expect(await greps(CLOSED, { maxResults: 1 })).toMatchObject({ total: 3 })
  })

  it('leaves those out that no permission opens, and none where all are open', async () => {
    expect(await greps(SOME)).toEqual({ paths: ['.env', '.env', ...READABLE], total: 5, filesSearched: 4 })
    const { paths, filesSearched } = await greps({})
    expect([new Set(paths).size, filesSearched]).toEqual([8, 9])
  })

  it('goes by rules as well', async () => {
    const { mayRead, hides } = hiding('a.txt')
    const both = { ...CLOSED, hides, mayRead: (path: string) => mayRead(path) && !isSecretFile(path), mayList: mayRead }
    expect(await greps(both)).toEqual({ paths: ['.env.example', 'src/b.ts'], total: 2, filesSearched: 2 })
  })

  it('finds them by their names', async () => {
    for (const sight of [CLOSED, SOME, {}]) {
      const { files, freshness } = await searchOf(place.root, place.resident, sight).find('.', '**', FIND)
      expect(files).toHaveLength(Object.keys(FILES).length)
      expect(freshness.source).toBe('index')
    }
  })

  it('knows one that came a moment ago', async () => {
    writeFileSync(join(place.world.workspace.path, 'src/.env.local'), 'needle\n')
    writeFileSync(join(place.world.workspace.path, 'src/c.ts'), 'needle\n')
    expect(await greps(CLOSED)).toEqual({ paths: [...READABLE, 'src/c.ts'], total: 4, filesSearched: 4 })
  })
})
