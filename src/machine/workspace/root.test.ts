import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ToolError } from '../../kernel/error.ts'
import type { ResolveOptions } from './resolved-path.ts'
import { openRoot, type Root } from './root.ts'
import { linuxSys } from './sys.ts'
import { processorMs } from '../../../tests/processor-time.ts'

let base: string
let ws: string
let root: Root

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'toolwright-root-'))
  ws = join(base, 'ws')
  mkdirSync(join(ws, 'src/utils'), { recursive: true })
  mkdirSync(join(ws, 'docs'))
  mkdirSync(join(base, 'outside'))
  writeFileSync(join(ws, 'a.txt'), 'alpha\n')
  writeFileSync(join(ws, 'src/index.ts'), 'x\n')
  writeFileSync(join(base, 'outside/secret.txt'), 'secret\n')
  root = openRoot(ws)
})

afterEach(() => {
  root.close()
  rmSync(base, { recursive: true, force: true })
})

const rel = (path: string, options?: ResolveOptions): string => {
  const located = root.resolve(path, options)
  located.release()
  return located.missing.length > 0 || located.stats === undefined ? `${located.rel} (new)` : located.rel
}
const codeOf = (path: string, options?: ResolveOptions): string => {
  try {
    return rel(path, options)
  } catch (error) {
    return error instanceof ToolError ? error.code : String(error)
  }
}
const link = (target: string, path: string) => symlinkSync(target, join(ws, path))
const openFiles = () => readdirSync('/proc/self/fd').length

describe('openRoot', () => {
  it('says where it is, by its real path', () => {
    symlinkSync(ws, join(base, 'alias'))
    const alias = openRoot(join(base, 'alias'))
    expect(alias.path).toBe(root.path)
    const located = [join(base, 'alias/src'), join(root.path, 'src')].map(path => alias.resolve(path))
    expect(located.map(one => one.rel)).toEqual(['src', 'src'])
    for (const one of located) one.release()
    alias.close()
  })

  it('refuses what is missing and what is a file', () => {
    expect(() => openRoot(join(base, 'nowhere'))).toThrow(expect.objectContaining({ code: 'not_found' }))
    expect(() => openRoot(join(ws, 'a.txt'))).toThrow(expect.objectContaining({ code: 'not_a_directory' }))
  })

  it('stays with the directory when its path is given to another', () => {
    renameSync(ws, join(base, 'moved'))
    symlinkSync(join(base, 'outside'), ws)
    expect(rel('a.txt')).toBe('a.txt')
    expect(rel('secret.txt')).toBe('secret.txt (new)')
  })
})

describe('the walk', () => {
  it('finds files, directories and the root', () => {
    expect(
      ['a.txt', 'src/index.ts', 'src/', 'src/utils/..', './src/../a.txt', 'src/../docs/'].map(path => rel(path)),
    ).toEqual(['a.txt', 'src/index.ts', 'src', 'src', 'a.txt', 'docs'])
    const top = root.resolve('src/..')
    expect([top.rel, top.name, top.dir]).toEqual(['.', undefined, root.fd])
  })

  it('says what is missing below what is there', () => {
    const located = root.resolve('src/new/deep/x.ts')
    expect(located).toMatchObject({
      rel: 'src/new/deep/x.ts',
      name: 'x.ts',
      missing: ['new', 'deep'],
      stats: undefined,
    })
    expect(linuxSys.whereIs(located.dir)).toBe(join(root.path, 'src'))
    located.release()
    expect(root.resolve('new/').directory).toBe(true)
  })

  it.each([
    ['..', 'outside_workspace'],
    ['../outside/secret.txt', 'outside_workspace'],
    ['src/../../outside/secret.txt', 'outside_workspace'],
    ['nothing/../../outside/secret.txt', 'outside_workspace'],
    ['a.txt/../../outside', 'outside_workspace'],
    ['nothing/../a.txt', 'not_found'],
    ['a.txt/../src', 'not_a_directory'],
    ['a.txt/x', 'not_a_directory'],
    ['a.txt/', 'not_a_directory'],
    ['../ws-evil/x', 'outside_workspace'],
    ['../ws/a.txt', 'a.txt'],
    ['../ws/../ws/src/../a.txt', 'a.txt'],
  ])('SG-18: %j is %s', (path, expected) => {
    expect(codeOf(path)).toBe(expected)
  })

  it('follows links inside, from where they lie', () => {
    link('a.txt', 'file')
    link('src', 'dir')
    link('../docs', 'src/up')
    link(join(root.path, 'a.txt'), 'absolute')
    link('.', 'self')
    link('src/', 'slash')
    link('a.txt/', 'wrong')
    link('../ws/a.txt', 'out-and-back')
    link('new.txt', 'dangling')
    expect(
      ['file', 'dir/index.ts', 'src/up/x', 'absolute', 'self/self/a.txt', 'slash', 'out-and-back', 'dangling'].map(
        path => rel(path),
      ),
    ).toEqual(['a.txt', 'src/index.ts', 'docs/x (new)', 'a.txt', 'a.txt', 'src', 'a.txt', 'new.txt (new)'])
    expect(rel('dir/../a.txt')).toBe('a.txt')
    expect(rel('src/up/../a.txt')).toBe('a.txt')
    expect(codeOf('wrong')).toBe('not_a_directory')
    expect([rel('file', { link: true }), rel('dir', { link: true }), rel('dir/', { link: true })]).toEqual([
      'file',
      'dir',
      'src',
    ])
  })

  it('SG-18: refuses links that lead out, at any place of the path', () => {
    link('../outside', 'out')
    link('/etc', 'etc')
    link('/', 'top')
    link('/proc/self', 'proc')
    link('..', 'parent')
    link('out', 'chain')
    link('../outside/new.txt', 'dangling')
    const paths = [
      'out/secret.txt',
      'out/',
      'etc/passwd',
      'top',
      'proc/environ',
      'parent',
      'chain/secret.txt',
      'dangling',
      'parent/outside/x',
    ]
    expect(paths.map(path => codeOf(path))).toEqual(paths.map(() => 'outside_workspace'))
    expect(codeOf('out', { link: true })).toBe('out')
    expect(codeOf('parent/ws/a.txt')).toBe('a.txt')
  })

  it('ends with a clean error where links never end', () => {
    link('loop-b', 'loop-a')
    link('loop-a', 'loop-b')
    link('deep/deep', 'deep')
    expect(['loop-a', 'loop-a/x', 'deep', 'deep/x'].map(path => codeOf(path))).toEqual(Array(4).fill('invalid_input'))
    for (let depth = 0; depth < 42; depth++) link(depth === 0 ? 'a.txt' : `l${depth - 1}`, `l${depth}`)
    expect([codeOf('l39'), codeOf('l40')]).toEqual(['a.txt', 'invalid_input'])
  })

  it('bounds the work of a path that goes up and down', () => {
    mkdirSync(join(ws, 'd/'.repeat(600)), { recursive: true })
    const start = processorMs()
    const up = `${'d/'.repeat(600)}${'../d/'.repeat(500)}`
    expect(['invalid_input', 'd']).toContain(codeOf(up).split('/')[0])
    expect(processorMs() - start).toBeLessThan(2000)
  })

  it('finds names that are not UTF-8 by their one spelling', () => {
    writeFileSync(Buffer.concat([Buffer.from(`${ws}/bad`), Buffer.of(0xff)]), 'x')
    mkdirSync(Buffer.concat([Buffer.from(`${ws}/dir`), Buffer.of(0xe9)]))
    writeFileSync(Buffer.concat([Buffer.from(`${ws}/dir`), Buffer.of(0xe9), Buffer.from('/x')]), 'x')
    expect([rel('bad\udcff'), rel('dir\udce9/x'), rel('bad\ufffd')]).toEqual([
      'bad\udcff',
      'dir\udce9/x',
      'bad\ufffd (new)',
    ])
    const inside = root.resolve('dir\udce9/x')
    expect(() => root.verify(inside)).not.toThrow()
    inside.release()
  })

  it('asks staged changes before the disk', () => {
    link('../outside', 'out')
    const overlay = new Map<string, ReturnType<NonNullable<ResolveOptions['overlay']>>>([
      ['out', 'absent'],
      ['new', 'directory'],
      ['src', 'file'],
      ['l', { target: 'docs' }],
      ['docs', 'directory'],
    ])
    const options = { overlay: (path: string) => overlay.get(path) }
    expect(rel('out/x', options)).toBe('out/x (new)')
    expect(rel('new/../a.txt', options)).toBe('a.txt')
    expect(rel('l/x', options)).toBe('docs/x (new)')
    expect(codeOf('src/index.ts', options)).toBe('not_a_directory')
    expect(codeOf('out/../a.txt', options)).toBe('not_found')
    overlay.set('out', 'directory')
    expect(rel('out/secret.txt', options)).toBe('out/secret.txt (new)')
  })

  it('leaves no descriptor open, whatever the end', () => {
    link('../outside', 'out')
    link('loop', 'loop')
    const paths = [
      'a.txt',
      'src/utils/x',
      'src/utils/..',
      'src/../../x',
      'out/x',
      'loop',
      'a.txt/x',
      'no/such/x',
      'src/',
      'x\0',
    ]
    const before = openFiles()
    for (let round = 0; round < 500; round++) for (const path of paths) codeOf(path)
    expect(openFiles()).toBe(before)
  })

  it('needs one descriptor at a time, however deep', () => {
    mkdirSync(join(ws, 'd/'.repeat(190)), { recursive: true })
    const before = openFiles()
    const located = root.resolve('d/'.repeat(190))
    expect(openFiles()).toBe(before + 1)
    located.release()
    located.release()
    expect(openFiles()).toBe(before)
  })
})

describe('verify', () => {
  it('notices a held directory that was moved, inside or out', () => {
    const located = root.resolve('src/utils/new.ts')
    root.verify(located)
    renameSync(join(ws, 'src'), join(base, 'outside/src'))
    expect(() => root.verify(located)).toThrow(expect.objectContaining({ code: 'conflict' }))
    renameSync(join(base, 'outside/src'), join(ws, 'other'))
    expect(() => root.verify(located)).toThrow(expect.objectContaining({ code: 'conflict' }))
    renameSync(join(ws, 'other'), join(ws, 'src'))
    expect(() => root.verify(located)).not.toThrow()
    located.release()
  })

  it('is content with the root itself and with new directories', () => {
    for (const path of ['.', 'x', 'new/dir/x']) {
      const located = root.resolve(path)
      expect(() => root.verify(located)).not.toThrow()
      located.release()
    }
  })

  it('does not mind that the whole workspace was moved', () => {
    const located = root.resolve('src/x')
    execFileSync('mv', [ws, join(base, 'elsewhere')])
    expect(() => root.verify(located)).not.toThrow()
    located.release()
  })
})
