import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { compileGlob } from '../../guards/glob.ts'
import { readsBelow } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { openRoot, type Root } from '../../machine/workspace/root.ts'
import { createStaging } from '../../machine/workspace/staging.ts'
import { openSearch } from './open-search.ts'
import { comparePaths } from './path-order.ts'
import { readCounts } from './scan.ts'
import { readLines } from './read-lines.ts'
import { runRipgrep } from './ripgrep.ts'
import { scan } from './scan.ts'
import type { SearchParts } from './search-parts.ts'
import type { SearchEngine } from './types.ts'

let workspace: TemporaryWorkspace
let root: Root
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'needle\n', 'src/b.txt': 'needle two\n', 'src/.env': 'needle secret\n' })
  root = openRoot(workspace.path)
})
afterEach(() => {
  root.close()
  return workspace.remove()
})
const open = (more: Partial<SearchParts> = {}): SearchEngine =>
  openSearch({
    root,
    staging: createStaging(),
    claims: readsBelow('.'),
    mayRead: () => true,
    mayList: more.mayRead ?? (() => true),
    secretFiles: 'open',
    hides: undefined,
    compileGlob,
    reference: () => Buffer.alloc(0),
    ...more,
  })
const LONG = process.env['TOOLWRIGHT_LONG'] === '1'
const { signal } = new AbortController()
const ALL = { maxResults: 100, maxDepth: 20, signal }

describe('a search', () => {
  it('gives what it found when its time is over, and leaves nothing running', async () => {
    writeFileSync(join(workspace.path, 'first.txt'), 'x\n'.repeat(4))
    writeFileSync(join(workspace.path, 'huge.txt'), 'x\n'.repeat(40_000_000))
    const since = performance.now()
    const found = await open().grep({ patterns: ['x'], maxResults: 3, timeoutMs: 2_000, signal })
    expect(performance.now() - since).toBeLessThan(10_000)
    expect(found.timedOut).toBe(true)
    expect(found.matches.map(({ path, line }) => `${path}:${line}`)).toEqual([
      'first.txt:1',
      'first.txt:2',
      'first.txt:3',
    ])
    expect(found.total).toBeGreaterThan(3)
    expect(found.total).toBeLessThan(40_000_000)
  })

  it('holds little of a file in which every line is found, and still finds every line', async () => {
    writeFileSync(join(workspace.path, 'huge.txt'), 'x\n'.repeat(1_000_000))
    const world = { cwd: workspace.path, args: [], sees: () => true, place: (path: string) => path }
    const found = await scan({ patterns: ['x'], maxResults: 2, timeoutMs: 60_000 }, { ...world, maxBytes: 8_000_000 })
    expect(found).toMatchObject({ total: 1_000_000, timedOut: false, matches: [{ line: 1 }, { line: 2 }] })
    const outgrown = await runRipgrep({
      cwd: workspace.path,
      args: ['x', '.'],
      timeoutMs: 60_000,
      maxBytes: 1_000_000,
      onOutput() {},
    })
    expect(outgrown).toEqual({ timedOut: false, outgrew: true })
  })

  it('ends with its caller', async () => {
    writeFileSync(join(workspace.path, 'huge.txt'), 'x\n'.repeat(20_000_000))
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    const since = performance.now()
    const found = await open().grep({ patterns: ['x'], maxResults: 3, timeoutMs: 60_000, signal: controller.signal })
    expect(performance.now() - since).toBeLessThan(10_000)
    expect(found.timedOut).toBe(false)
    const gone = await open().grep({ patterns: ['x'], maxResults: 3, timeoutMs: 60_000, signal: controller.signal })
    expect(gone).toMatchObject({ matches: [], total: 0, filesSearched: 0, timedOut: false })
  })

  it('says what was wrong where ripgrep itself refuses', async () => {
    await expect(
      runRipgrep({ cwd: workspace.path, args: ['--no-such-option'], timeoutMs: 60_000, onOutput() {} }),
    ).resolves.toMatchObject({ timedOut: false, complaint: expect.stringContaining('--no-such-option') })
  })

  it('is unavailable where it cannot be started', async () => {
    const run = runRipgrep({ cwd: join(workspace.path, 'nowhere'), args: [], timeoutMs: 60_000, onOutput() {} })
    await expect(run).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('fails if the reader of its output fails', async () => {
    const broken = open({
      mayRead() {
        throw new Error('a defect')
      },
    })
    await expect(broken.find('.', '**', ALL)).rejects.toThrow('a defect')
    await expect(broken.grep({ patterns: ['needle'], maxResults: 1, timeoutMs: 60_000, signal })).rejects.toThrow(
      'a defect',
    )
  })

  it('stays in the directory it was opened for, also when that is swapped for a link', async () => {
    mkdirSync(join(workspace.base, 'outside'))
    writeFileSync(join(workspace.base, 'outside/canary.txt'), '')
    const swap = setInterval(() => {
      try {
        renameSync(join(workspace.path, 'src'), join(workspace.path, 'away'))
        symlinkSync('../outside', join(workspace.path, 'src'))
      } catch {}
    }, 1)
    try {
      for (let count = 0; count < (LONG ? 20 : 10); count++) {
        const found = await open()
          .find('src', '**', ALL)
          .catch((error: unknown) => error)
        expect(JSON.stringify(found)).not.toContain('canary')
      }
    } finally {
      clearInterval(swap)
    }
  })

  it('knows nothing of files that may not be read, in its figures either', async () => {
    const matches = (path: string) => path.endsWith('.env')
    const hides = { matches, covers: () => false, reaches: () => true, names: () => false }
    const hiding = open({ mayRead: path => !matches(path), hides })
    expect(await hiding.find('.', '**', ALL)).toEqual({
      files: ['a.txt', 'src/b.txt'],
      total: 2,
      filesHidden: 1,
      timedOut: false,
      freshness: { source: 'scan' },
    })
    for (const pattern of ['needle', 'secret', 'nothing']) {
      const found = await hiding.grep({ patterns: [pattern], maxResults: 10, timeoutMs: 60_000, signal })
      expect(found).toMatchObject({ filesSearched: 2, filesHidden: 1 })
      expect(found.matches.every(({ path }) => !path.endsWith('.env'))).toBe(true)
    }
    await expect(
      hiding.grep({ patterns: ['x'], directory: 'src/.env', maxResults: 1, timeoutMs: 60_000 }),
    ).rejects.toThrow('denies reading')
  })

  it('counts the same hidden files whatever is asked, so that no glob spells out their names', async () => {
    mkdirSync(join(workspace.path, 'src/deep'))
    writeFileSync(join(workspace.path, 'src/deep/key.pem'), 'needle\n')
    const staging = createStaging()
    const state = { type: 'file' as const, bytes: Buffer.from('needle\n'), hash: 'k', mode: 0o644 }
    for (const path of ['src/kept.pem', 'src/deep/key.pem', 'other.pem', 'src/new.txt'])
      staging.set(path, { type: 'absent' }, state)
    const matches = (path: string) => /\.(env|pem)$/.test(path)
    const hides = { matches, covers: () => false, reaches: () => true, names: () => false }
    const rules = { mayRead: (path: string) => !matches(path), hides }
    let turn = 0
    for (const [search, hidden] of [
      [open(rules), { '.': 2, src: 2, 'src/deep': 1 }],
      [open({ ...rules, staging }), { '.': 4, src: 3, 'src/deep': 1 }],
    ] as const)
      for (const [directory, filesHidden] of Object.entries(hidden))
        for (const glob of ['k*', 'zz*', '**/k*', '**/.e*', '**/*.txt', '**'])
          for (const more of [{}, { hidden: false }]) {
            // By default every other one in turn: each value still meets each glob, and each directory.
            const at = [0, 1, 1, 0][turn++ % 4] ?? 0
            const taken = <T>(both: readonly T[]): readonly T[] => (LONG ? both : both.slice(at, at + 1))
            for (const maxDepth of taken([1, 20]))
              expect(await search.find(directory, glob, { ...ALL, ...more, maxDepth })).toMatchObject({ filesHidden })
            const asked = { patterns: ['needle'], directory, maxResults: 10, timeoutMs: 60_000, ...more }
            for (const globs of taken([[glob], [`!${glob}`]]))
              expect(await search.grep({ ...asked, globs })).toMatchObject({ filesHidden })
          }
    const only = { ...ALL, maxDepth: 2, hidden: false }
    expect(await open(rules).find('.', '**/*', only)).toMatchObject({ files: ['a.txt', 'src/b.txt'], total: 2 })
    expect(await open(rules).find('.', '**/*', { ...only, maxDepth: 1 })).toMatchObject({ files: ['a.txt'], total: 1 })
    const texts = await open(rules).grep({ patterns: ['needle'], globs: ['a*'], maxResults: 10, timeoutMs: 60_000 })
    expect(texts).toMatchObject({ total: 1, filesSearched: 1 })
  })

  it('goes nowhere that was not claimed', async () => {
    const narrow = open({ claims: readsBelow('src') })
    expect((await narrow.find('src', '**', ALL)).files).toEqual(['src/.env', 'src/b.txt'])
    await expect(narrow.find('.', '**', ALL)).rejects.toMatchObject({ code: 'denied' })
    for (const directory of ['.', 'a.txt', 'ref:0123456789abcdef'])
      await expect(narrow.grep({ patterns: ['x'], directory, maxResults: 1, timeoutMs: 60_000 })).rejects.toMatchObject(
        {
          code: 'denied',
        },
      )
  })

  it.each(['missing', 'a.txt', '../x'])('has no place to start from in %s', async directory => {
    const failed = await open()
      .find(directory, '*', ALL)
      .catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ToolError)
  })
})

describe('what ripgrep prints', () => {
  /** What comes out, whatever pieces the output arrives in. */
  const read = (reader: typeof readLines, output: Buffer, size = output.length, wantsLines = true) => {
    const seen: unknown[] = []
    const take = reader({
      file(path) {
        seen.push(JSON.stringify(path))
        return wantsLines
      },
      line: (line, isMatch, text) => seen.push(`${line}${isMatch ? ':' : '-'}${text()}`),
      count: lines => seen.push(lines),
      binary: () => seen.push('binary'),
      searched: files => void (files > 0 && seen.push(`searched ${files}`)),
    })
    for (let at = 0; at < output.length; at += size) take(output.subarray(at, at + size))
    return seen
  }
  const FIGURES = Buffer.from(
    '\n4 matches\n4 matched lines\n3 files contained matches\n17 files searched\n0.1 seconds total\n',
  )
  const LINES = Buffer.concat([
    Buffer.from('./a.txt\x001:x: y\r\n2-\n3-./x\x00y\n\n./new\nline\x0022:\n\n./1:late\x001:x\n'),
    Buffer.from('./1:late: WARNING: stopped searching binary file after match (found "\\0" byte around offset 9)\n\n'),
    Buffer.from('./bad'),
    Buffer.of(0xff),
    Buffer.from('\x003:caf'),
    Buffer.of(0xe9),
    Buffer.from('\n'),
    FIGURES,
  ])

  it.each([1000, 7, 1])('is read in pieces of %i bytes', size => {
    expect(read(readLines, LINES, size)).toEqual([
      '"a.txt"',
      '1:x: y',
      '2-',
      '3-./x\0y',
      '"new\\nline"',
      '22:',
      '"1:late"',
      '1:x',
      'binary',
      '"bad\\udcff"',
      '3:caf\ufffd',
      'searched 17',
    ])
    const counts = Buffer.concat([Buffer.from('./a.txt\x0012\r\n./new\n5\n\nline\x003\n'), FIGURES])
    expect(read(readCounts, counts, size)).toEqual(['"a.txt"', 12, '"new\\n5\\n\\nline"', 3, 'searched 17'])
  })

  it.each([1000, 64, 7, 1])('is only counted where its lines are of no use, in pieces of %i bytes', size => {
    const output = Buffer.concat([
      Buffer.from('./a.txt\x001:x: y\r\n2:\n3:./x\x00y\n\n./new\nline\x0022:\n\n./late\x001:x\n2:y\n'),
      Buffer.from('./late: WARNING: stopped searching binary file after match (found "\\0" byte around offset 9)\n\n'),
      Buffer.from(`./many\x00${Array.from({ length: 40 }, (_, line) => `${line + 1}:.\n`).join('')}`),
      FIGURES,
    ])
    const seen = read(readLines, output, size, false)
    const counts: Record<string, number | 'binary'> = {}
    let file = ''
    for (const one of seen) {
      if (typeof one === 'number') counts[file] = Number(counts[file] ?? 0) + one
      else if (one === 'binary') counts[file] = one
      else file = String(one)
    }
    expect(counts).toEqual({ '"a.txt"': 3, '"new\\nline"': 1, '"late"': 'binary', '"many"': 40 })
    expect(file).toBe('searched 17')
  })

  it('may be cut off', () => {
    expect(read(readLines, Buffer.from('./a\x001:half of a li'))).toEqual(['"a"'])
    expect(read(readLines, Buffer.alloc(0))).toEqual([])
    expect(read(readCounts, Buffer.from('./a\x001'))).toEqual([])
    expect(read(readCounts, Buffer.from('./a'))).toEqual([])
  })
})

describe('the order of paths', () => {
  it('is that of a walk through sorted directories', () => {
    const paths = ['a', 'a/b', 'a/b/c', 'a/c', 'a.txt', 'b']
    expect(paths.toReversed().toSorted(comparePaths)).toEqual(paths)
    expect(comparePaths('a/b', 'a/b')).toBe(0)
  })
})

describe('staged changes', () => {
  /** A session in a transaction, with the tools of the cli-agent. */
  const inside = async (work: (call: (tool: string, input: object) => Promise<string>) => Promise<void>) => {
    const kit = await workspace.open({ contract: 'cli-agent', permissions: ['fs:read', 'fs:write'] })
    // Other tests search in the shared one.
    vi.stubEnv('TMPDIR', workspace.base)
    try {
      await kit.transaction(async session => {
        await work(async (tool, input) => Object(await session.call(tool, input)).output)
      })
      expect(readdirSync(tmpdir()).filter(name => name.startsWith('toolwright-search-'))).toEqual([])
    } finally {
      vi.unstubAllEnvs()
    }
  }

  it('are found before they land: new, changed and in new directories', async () => {
    await inside(async call => {
      await call('create_file', { path: 'new/c.txt', content: 'needle three\n' })
      await call('replace_string_in_file', { path: 'a.txt', old_string: 'needle', new_string: 'pin' })
      expect(await call('grep_search', { pattern: 'needle' })).toBe(
        "Found 3 matches for 'needle':\n  new/c.txt:1: needle three\n  src/.env:1: needle secret\n  src/b.txt:1: needle two\n",
      )
      expect(await call('grep_search', { pattern: 'pin', file_pattern: '*.txt' })).toBe(
        "Found 1 match for 'pin':\n  a.txt:1: pin\n",
      )
      expect(await call('file_search', { pattern: '**/*.txt' })).toBe(
        "Found 3 files matching '**/*.txt':\n  a.txt\n  new/c.txt\n  src/b.txt\n",
      )
      expect(await call('file_search', { pattern: '*', base_path: 'new' })).toBe(
        "Found 1 file matching '*':\n  new/c.txt\n",
      )
      expect(await call('list_dir', {})).toBe('Contents of .:\n  a.txt\n  new/\n  src/\n')
      expect(workspace.read('a.txt')).toBe('needle\n')
    })
    expect(workspace.read('a.txt')).toBe('pin\n')
  })

  it('are counted once, and the limit holds over both', async () => {
    const kit = await workspace.open({ contract: 'cli-agent', permissions: ['fs:read', 'fs:write'] })
    await kit.transaction(async session => {
      await session.call('replace_string_in_file', { path: 'a.txt', old_string: 'needle', new_string: 'needle again' })
      await session.call('create_file', { path: 'b.txt', content: 'needle b\n' })
      expect(await session.call('grep_search', { pattern: 'needle', max_results: 2 })).toMatchObject({
        output:
          "Warning: Found 4 matches, showing first 2\nFound 4 matches for 'needle':\n  a.txt:1: needle again\n  b.txt:1: needle b\n",
        metadata: { total_matches: 4, files_searched: 4 },
      })
    })
  })

  it('hide what was deleted or moved', async () => {
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    await kit.transaction(async session => {
      await session.run('delete', { path: 'a.txt' })
      await session.run('move', { from: 'src/b.txt', to: 'lib/moved.txt' })
      const found = Object(await session.call('grep_search', { pattern: 'needle' }, { contract: 'cli-agent' }))
      expect(found.output).toBe(
        "Found 2 matches for 'needle':\n  lib/moved.txt:1: needle two\n  src/.env:1: needle secret\n",
      )
      const files = Object(await session.call('file_search', { pattern: '**' }, { contract: 'cli-agent' }))
      expect(files.output).toBe("Found 2 files matching '**':\n  lib/moved.txt\n  src/.env\n")
    })
  })
})
