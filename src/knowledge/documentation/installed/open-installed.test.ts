import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../testing/temporary-workspace.ts'
import { createIndexer, type Indexer } from '../indexer.ts'
import { openInstalled, type InstalledDocumentation } from './open-installed.ts'

const isLong = process.env['TOOLWRIGHT_LONG'] === '1'
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const packageAt = (name: string, version: string, readme: string): Readonly<Record<string, string>> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version }),
  [`node_modules/${name}/README.md`]: readme,
})

function rig(files: Readonly<Record<string, string>>, isDenied: (path: string) => boolean = () => false) {
  const workspace = temporaryWorkspace(files)
  const indexer = createIndexer()
  const open = (): InstalledDocumentation => {
    const directory = join(workspace.base, 'documentation')
    const installed = openInstalled({ root: workspace.path, directory, indexer, isDenied })
    cleanups.push(async () => installed.close())
    return installed
  }
  cleanups.push(
    () => workspace.remove(),
    () => indexer.close(),
  )
  return { workspace, installed: open(), open }
}

const search = async (installed: InstalledDocumentation, query: string, only?: string) => {
  await installed.refresh()
  return installed.search({ query, package: only, limit: 10, wants: () => true })
}

/** Installs like a package manager does: the directory of the packages changes. */
const install = (workspace: TemporaryWorkspace, files: Readonly<Record<string, string>>): void => {
  for (const [path, content] of Object.entries(files)) workspace.write(path, content)
  const later = new Date(Date.now() + 5_000)
  utimesSync(join(workspace.path, 'node_modules'), later, later)
}

describe('installed documentation', () => {
  it('is found by package, version, path, heading and line', async () => {
    const { installed } = rig(
      packageAt('resend', '1.2.0', '# resend\n\nintro\n\n## Retries\n\n### Backoff\n\nwaits longer\n'),
    )
    expect(await search(installed, 'backoff')).toMatchObject([
      {
        package: 'resend',
        version: '1.2.0',
        path: 'node_modules/resend/README.md',
        heading: 'resend › Retries › Backoff',
        line: 7,
        body: '### Backoff\n\nwaits longer',
      },
    ])
  })

  it('has comments of declarations with their names, changelogs and folders of documentation', async () => {
    const { installed } = rig({
      ...packageAt('@acme/lists', '2.0.0', '# lists\n'),
      'node_modules/@acme/lists/CHANGELOG.md': '# 2.0.0\n\nzipping is lazy now\n',
      'node_modules/@acme/lists/docs/guide/zip.md': '# Zipping\n\nzip two lists\n',
      'node_modules/@acme/lists/docs/picture.svg': '<svg>zip</svg>',
      'node_modules/@acme/lists/dist/index.d.ts':
        "declare module 'x' {}\nexport declare class List {\n  // {\n  /**\n   * Joins two lists by their places.\n   */\n  zipWith(other: List): List;\n}\n",
      'node_modules/@acme/lists/dist/index.d.mts': '/** Joins again. */\nexport declare function zipAgain(): void\n',
    })
    const found = await search(installed, 'zip')
    expect(
      found.map(({ path, heading }) => `${path.slice('node_modules/@acme/lists/'.length)} ${heading}`).toSorted(),
    ).toEqual(['CHANGELOG.md 2.0.0', 'dist/index.d.ts List.zipWith', 'docs/guide/zip.md Zipping'])
    expect((await search(installed, 'zip with')).find(({ kind }) => kind === 'comment')).toMatchObject({
      line: 4,
      body: 'zipWith(other: List): List\nJoins two lists by their places.',
    })
    expect((await search(installed, 'lazy zipping'))[0]).toMatchObject({
      path: 'node_modules/@acme/lists/CHANGELOG.md',
    })
  })

  it('has packages of a virtual environment: descriptions, docstrings and documents', async () => {
    const site = '.venv/lib/python3.12/site-packages'
    const { installed } = rig({
      '.venv/pyvenv.cfg': 'home = /usr/bin\n',
      [`${site}/httpy-0.9.1.dist-info/METADATA`]:
        'Metadata-Version: 2.1\nName: httpy\nVersion: 0.9.1\n\nHttpy\n=====\n\nSends requests.\n\nTimeouts\n--------\n\nSet a deadline.\n',
      [`${site}/httpy-0.9.1.dist-info/RECORD`]:
        'httpy/__init__.py,sha256=x,1\nhttpy/client.py,sha256=x,1\n../../../../secret.py,,\nhttpy-0.9.1.dist-info/METADATA,,\n',
      [`${site}/httpy/__init__.py`]: '"""A client for everything."""\n',
      [`${site}/httpy/client.py`]:
        'class Client:\n    """Keeps connections."""\n\n    def get(self, url,\n            deadline=None):\n        """Fetch a page before its deadline."""\n',
      'secret.py': '"""deadline outside"""\n',
    })
    const found = await search(installed, 'deadline')
    expect(found.map(({ heading, line }) => `${heading}:${line}`).toSorted()).toEqual([
      'Httpy › Timeouts:10',
      'httpy.client.Client.get:4',
    ])
    expect(found.every(each => each.package === 'httpy' && each.version === '0.9.1')).toBe(true)
    expect((await search(installed, 'client for everything'))[0]).toMatchObject({ heading: 'httpy', line: 1 })
  })

  it('tells versions apart, follows updates and forgets what was removed, also in another process', async () => {
    const { workspace, installed, open } = rig({
      ...packageAt('one', '1.0.0', '# one\n\nold manners\n'),
      ...packageAt('two', '1.0.0', '# two\n\nother manners\n'),
      ...packageAt('two/node_modules/one', '0.5.0', '# one\n\nancient manners\n'),
    })
    const versions = async (query: string) =>
      (await search(installed, query)).map(each => `${each.package} ${each.version}`).toSorted()
    expect(await versions('manners')).toEqual(['one 1.0.0', 'two 1.0.0', 'two/node_modules/one 0.5.0'])
    install(workspace, packageAt('one', '1.1.0', '# one\n\nnew manners\n'))
    expect(await versions('manners')).toEqual(['one 1.1.0', 'two 1.0.0', 'two/node_modules/one 0.5.0'])
    expect(await versions('old')).toEqual([])
    expect(await search(open(), 'new manners')).toMatchObject([{ version: '1.1.0' }, {}, {}])
  })

  it('puts the version of the workspace before those deeper in it that say the same, whichever was indexed first', async () => {
    const readme = '# resend\n\n## Retries\n\nwaits longer\n'
    const deeper = Object.entries(packageAt('resend', '2.0.0', readme)).map(([path, text]) => [`tools/x/${path}`, text])
    const { workspace, installed } = rig(Object.fromEntries(deeper))
    expect((await search(installed, 'retries')).map(({ version }) => version)).toEqual(['2.0.0'])
    install(workspace, packageAt('resend', '1.2.0', readme))
    expect((await search(installed, 'retries')).map(({ version }) => version)).toEqual(['1.2.0', '2.0.0'])
  })

  it('keeps out what a rule denies, and what a link leads out of the workspace', async () => {
    const { workspace, installed } = rig(
      { ...packageAt('open', '1.0.0', 'manners'), ...packageAt('closed', '1.0.0', 'manners') },
      path => path.startsWith('node_modules/closed/'),
    )
    const outside = join(workspace.base, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'package.json'), '{ "name": "outside", "version": "1.0.0" }')
    writeFileSync(join(outside, 'README.md'), 'manners')
    symlinkSync(outside, join(workspace.path, 'node_modules', 'outside'))
    symlinkSync(join(outside, 'README.md'), join(workspace.path, 'node_modules', 'open', 'CHANGELOG.md'))
    expect(await search(installed, 'manners')).toMatchObject([{ path: 'node_modules/open/README.md' }])
  })

  it('searches one package only, if asked', async () => {
    const { installed } = rig({ ...packageAt('one', '1.0.0', 'manners'), ...packageAt('two', '1.0.0', 'manners') })
    expect(await search(installed, 'manners', 'two')).toMatchObject([{ package: 'two' }])
  })

  it('is not kept busy by texts made for that', async () => {
    const { installed } = rig({
      ...packageAt('bad', '1.0.0', `${'#'.repeat(400_000)}\n${'a'.repeat(400_000)}\n# end\n\nmanners\n`),
      'node_modules/bad/a.d.ts': '/** '.repeat(200_000),
      'node_modules/bad/b.d.ts': '`\\'.repeat(300_000),
      'node_modules/bad/c.d.ts': `${'}'.repeat(400_000)}${'class x '.repeat(50_000)}`,
      'node_modules/bad/e.d.ts': '/** a */ class a { '.repeat(30_000),
      'node_modules/bad/docs/d.md': `${'# ['.repeat(300_000)}\n${'<'.repeat(300_000)}\n===\n`,
      ...packageAt('good', '1.0.0', 'manners'),
    })
    const started = Date.now()
    expect((await search(installed, 'manners')).map(each => each.package).toSorted()).toEqual(['bad', 'good'])
    expect(Date.now() - started).toBeLessThan(15_000)
  }, 30_000)
})

describe('indexing in processes that end soon', () => {
  const declarations = (file: number): string =>
    Array.from(
      { length: 400 },
      (_, at) => `/** Does thing ${file} ${at}. */\nexport declare function f${at}(): void\n`,
    ).join('')
  const hugeOf = (files: number): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Array.from({ length: files }, (_, file) => [`node_modules/huge/types/t${file}.d.ts`, declarations(file)]),
    )
  const SMALL = Array.from({ length: 20 }, (_, at) => `small${at}`)
  const manifest = JSON.stringify({ dependencies: { huge: '1.0.0', small3: '1.0.0' } })

  const countOf = ({ done, begun }: NonNullable<ReturnType<InstalledDocumentation['progress']>>): number =>
    done * 1_000 + (begun.find(({ name }) => name === 'huge')?.file ?? 0)

  /**
   * What one short process does: it indexes for a while, and ends in the middle of its work. One that has not got beyond
   * a count by then goes on until it has, because a busy machine is slow to start a thread.
   */
  async function shortProcess(workspace: TemporaryWorkspace, ms: number, beyond = -1, started: string[] = []) {
    const threads = createIndexer()
    const index: Indexer['index'] = job => {
      if (job.kind === 'files') started.push(job.package.name)
      return threads.index(job)
    }
    const indexer: Indexer = { ...threads, index }
    const directory = join(workspace.base, 'documentation')
    const installed = openInstalled({ root: workspace.path, directory, indexer, isDenied: () => false })
    let isOver = false
    const ready = installed.refresh().then(
      () => (isOver = true),
      () => {},
    )
    const since = Date.now()
    const isEnough = (): boolean => {
      const progress = installed.progress()
      const passed = Date.now() - since
      return isOver || passed > 20_000 || (passed > ms && (beyond < 0 || (!!progress && countOf(progress) > beyond)))
    }
    while (!isEnough()) await new Promise(resolve => void setTimeout(resolve, 20))
    const isWhole = isOver && !installed.progress()
    const progress = installed.progress()
    const found = installed.search({ query: 'manners', limit: 50, wants: () => true }).length
    await indexer.close()
    await ready
    installed.close()
    return { isDone: isWhole, progress, found }
  }

  it('advances with every process, the large package last, until all is found', async () => {
    const [files, ms] = isLong ? [90, 400] : [45, 200]
    const workspace = temporaryWorkspace({
      'package.json': manifest,
      ...packageAt('huge', '1.0.0', '# huge\n\nmanners\n'),
      ...hugeOf(files),
      ...Object.assign({}, ...SMALL.map(name => packageAt(name, '1.0.0', `# ${name}\n\nmanners\n`))),
    })
    cleanups.push(() => workspace.remove())
    const counts: number[] = []
    const started: string[] = []
    let last = await shortProcess(workspace, ms, 0, started)
    while (!last.isDone && counts.length < 200) {
      const count = last.progress ? countOf(last.progress) : 0
      counts.push(count)
      last = await shortProcess(workspace, ms, count, started)
    }
    expect(last.isDone).toBe(true)
    expect(last.found).toBe(21)
    expect(counts.length).toBeGreaterThan(0)
    // Packages, or files of the large one.
    expect(counts).toEqual([...new Set(counts)].toSorted((one, other) => one - other))
    // The small ones do not wait for the large one, which is the first of all dependencies.
    const again = started.indexOf('huge', started.indexOf('huge') + 1)
    expect(new Set(started.slice(0, again))).toEqual(new Set(['huge', ...SMALL]))
    expect(started.slice(again).filter(name => name === 'huge').length).toBeGreaterThan(0)
  }, 120_000)

  it('stores every text once, wherever the processes ended', async () => {
    const workspace = temporaryWorkspace({
      'package.json': manifest,
      ...packageAt('huge', '1.0.0', 'manners'),
      ...hugeOf(40),
    })
    cleanups.push(() => workspace.remove())
    let last = await shortProcess(workspace, 250)
    for (let calls = 1; !last.isDone; calls++) {
      const count = last.progress ? countOf(last.progress) : 0
      last = await shortProcess(workspace, 250 + 37 * (calls % 7), count)
    }
    const database = new DatabaseSync(join(workspace.base, 'documentation', 'installed.sqlite'), { readOnly: true })
    const count = (sql: string): unknown => database.prepare(`SELECT count(*) AS count FROM ${sql}`).get()?.['count']
    const [sections, texts, distinct] = ['sections', 'texts', '(SELECT DISTINCT heading, body FROM sections)'].map(
      count,
    )
    database.close()
    expect([sections, texts, distinct]).toEqual([16_001, 16_001, 16_001])
  }, 120_000)

  it('takes two processes at once', async () => {
    const workspace = temporaryWorkspace({
      'package.json': manifest,
      ...packageAt('huge', '1.0.0', 'manners'),
      ...hugeOf(15),
    })
    cleanups.push(() => workspace.remove())
    await Promise.all([shortProcess(workspace, 60_000), shortProcess(workspace, 60_000)])
    expect(await shortProcess(workspace, 60_000)).toMatchObject({ isDone: true, found: 1 })
    const database = new DatabaseSync(join(workspace.base, 'documentation', 'installed.sqlite'), { readOnly: true })
    expect(database.prepare('SELECT count(*) AS count FROM sections').get()).toEqual({ count: 6_001 })
    database.close()
  }, 120_000)
})
