import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compileGlob } from '../../guards/glob.ts'
import { ToolError } from '../../kernel/error.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../testing/temporary-workspace.ts'
import type { SearchEngine } from '../engines.ts'
import { openRoot, type Root } from '../workspace/root.ts'
import { createStaging } from '../workspace/staging.ts'
import { openSearch, type SearchParts } from './open-search.ts'
import { comparePaths } from './path-order.ts'
import { readMatches } from './read-matches.ts'
import { runRipgrep } from './ripgrep.ts'

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
  openSearch({ root, staging: createStaging(), mayRead: () => true, hidesSome: false, compileGlob, ...more })
const { signal } = new AbortController()
const ALL = { maxResults: 100, maxDepth: 20, signal }
const scratch = () => readdirSync(tmpdir()).filter(name => name.startsWith('toolwright-search-'))

describe('a search', () => {
  it('gives what it found when its time is over, and leaves nothing running', async () => {
    writeFileSync(join(workspace.path, 'huge.txt'), 'x\n'.repeat(40_000_000))
    const since = performance.now()
    const found = await open().grep({ pattern: 'x', maxResults: 3, timeoutMs: 1_000, signal })
    expect(performance.now() - since).toBeLessThan(10_000)
    expect(found.timedOut).toBe(true)
    expect(found.matches.map(({ path, line }) => `${path}:${line}`)).toEqual(['huge.txt:1', 'huge.txt:2', 'huge.txt:3'])
    expect(found.total).toBeGreaterThan(3)
    expect(found.total).toBeLessThan(40_000_000)
  })

  it('ends with its caller', async () => {
    writeFileSync(join(workspace.path, 'huge.txt'), 'x\n'.repeat(20_000_000))
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    const since = performance.now()
    const found = await open().grep({ pattern: 'x', maxResults: 3, timeoutMs: 60_000, signal: controller.signal })
    expect(performance.now() - since).toBeLessThan(10_000)
    expect(found.timedOut).toBe(false)
    const gone = await open().grep({ pattern: 'x', maxResults: 3, timeoutMs: 60_000, signal: controller.signal })
    expect(gone).toEqual({ matches: [], total: 0, filesSearched: 0, timedOut: false })
  })

  it('says what was wrong where ripgrep itself refuses', async () => {
    await expect(
      runRipgrep({ cwd: workspace.path, args: ['--no-such-option'], timeoutMs: 5_000, onOutput() {} }),
    ).resolves.toMatchObject({ timedOut: false, complaint: expect.stringContaining('--no-such-option') })
  })

  it('is unavailable where it cannot be started', async () => {
    const run = runRipgrep({ cwd: join(workspace.path, 'nowhere'), args: [], timeoutMs: 5_000, onOutput() {} })
    await expect(run).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('fails as whoever reads its output fails', async () => {
    const broken = open({
      mayRead() {
        throw new Error('a defect')
      },
    })
    await expect(broken.find('.', '**', ALL)).rejects.toThrow('a defect')
    await expect(broken.grep({ pattern: 'needle', maxResults: 1, timeoutMs: 5_000, signal })).rejects.toThrow(
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
      for (let count = 0; count < 20; count++) {
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
    const hiding = open({ mayRead: path => !path.endsWith('.env'), hidesSome: true })
    expect(await hiding.find('.', '**', ALL)).toEqual({ files: ['a.txt', 'src/b.txt'], total: 2, timedOut: false })
    for (const pattern of ['needle', 'secret', 'nothing']) {
      const { filesSearched, matches } = await hiding.grep({ pattern, maxResults: 10, timeoutMs: 5_000, signal })
      expect(filesSearched).toBe(2)
      expect(matches.every(({ path }) => !path.endsWith('.env'))).toBe(true)
    }
  })

  it.each(['missing', 'a.txt', '../x'])('has no place to start from in %s', async directory => {
    const failed = await open()
      .find(directory, '*', ALL)
      .catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ToolError)
  })
})

describe('what ripgrep prints', () => {
  /** The matches and warnings that come out, whatever pieces the output arrives in. */
  const read = (output: Buffer, size = output.length) => {
    const seen: string[] = []
    const reader = readMatches({
      match: ({ path, line, text }) => seen.push(`${JSON.stringify(path)} ${line} ${JSON.stringify(text)}`),
      binary: path => seen.push(`binary ${path}`),
    })
    for (let at = 0; at < output.length; at += size) reader.read(output.subarray(at, at + size))
    return { seen, files: reader.filesSearched() }
  }
  const OUTPUT = Buffer.concat([
    Buffer.from('./a.txt\x001:x: y\r\n./new\nline\x0022:\n./late\x001:x\n'),
    Buffer.from('./late: WARNING: stopped searching binary file after match (found "\\0" byte around offset 9)\n'),
    Buffer.from('./bad'),
    Buffer.of(0xff),
    Buffer.from('\x003:caf'),
    Buffer.of(0xe9),
    Buffer.from('\n\n4 matches\n4 matched lines\n3 files contained matches\n17 files searched\n'),
  ])

  it.each([1000, 7, 1])('is read in pieces of %i bytes', size => {
    expect(read(OUTPUT, size)).toEqual({
      seen: ['"a.txt" 1 "x: y"', '"new\\nline" 22 ""', '"late" 1 "x"', 'binary late', '"bad\\udcff" 3 "caf\ufffd"'],
      files: 17,
    })
  })

  it('may end with a warning, or be cut off', () => {
    const warning = './a: WARNING: stopped searching binary file after match (found "\\0" byte around offset 9)\n'
    expect(read(Buffer.from(`./a\x001:x\n${warning}\n1 matches\n2 files searched\n`))).toEqual({
      seen: ['"a" 1 "x"', 'binary a'],
      files: 2,
    })
    expect(read(Buffer.from('./a\x001:half of a li'))).toEqual({ seen: [], files: 0 })
    expect(read(Buffer.alloc(0))).toEqual({ seen: [], files: 0 })
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
    const before = scratch()
    await kit.transaction(async session => {
      await work(async (tool, input) => Object(await session.call(tool, input)).output)
    })
    expect(scratch()).toEqual(before)
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
