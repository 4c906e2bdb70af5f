import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Claim } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { openWorkspace } from './open-workspace.ts'
import { createReadMemory, type ReadMemory } from './read-memory.ts'
import { openRoot, type Root } from './root.ts'
import { createStaging, type Staging } from './staging.ts'
import type { Workspace } from './workspace.ts'
import { processorMs } from '../../../tests/processor-time.ts'

const EVERYTHING: readonly Claim[] = [
  { action: 'read', resource: '**' },
  { action: 'write', resource: '**' },
]
const READING: readonly Claim[] = [{ action: 'read', resource: '**' }]

let base: string
let ws: string
let root: Root
let staging: Staging
let memory: ReadMemory
let all: Workspace

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'toolwright-ws-'))
  ws = join(base, 'ws')
  mkdirSync(join(ws, 'src/utils'), { recursive: true })
  writeFileSync(join(ws, 'a.txt'), 'alpha\n')
  writeFileSync(join(ws, 'src/index.ts'), 'one\n')
  chmodSync(join(ws, 'src/index.ts'), 0o755)
  symlinkSync('src', join(ws, 'dir'))
  symlinkSync('a.txt', join(ws, 'link'))
  root = openRoot(ws)
  staging = createStaging()
  memory = createReadMemory()
  all = open(EVERYTHING)
})
afterEach(() => {
  root.close()
  rmSync(base, { recursive: true, force: true })
})

const open = (grant: readonly Claim[], more: { staging?: Staging; strictWrites?: boolean } = {}) =>
  openWorkspace(root, { grant, staging, memory, ...more })
const text = (path: string, workspace = all) => workspace.read(path).bytes.toString()
const sha = (content: string) => createHash('sha256').update(content).digest('hex')
const put = (path: string, content: string, options?: { mode?: number; expect?: string }) =>
  all.put(path, Buffer.from(content), options)
const codeOf = (act: () => unknown): string => {
  try {
    act()
    return 'ok'
  } catch (error) {
    return error instanceof ToolError ? error.code : String(error)
  }
}
const told = () =>
  all.changes().map(({ kind, path, from }) => [kind, path, ...(from === undefined ? [] : [from])].join(' '))
const steps = () =>
  staging.toOperations().map(step => `${step.kind} ${step.kind === 'move' ? `${step.from} ${step.to}` : step.path}`)

describe('reading', () => {
  it('gives bytes, mode and hash under the real path', () => {
    expect(all.read('dir/index.ts')).toMatchObject({ path: 'src/index.ts', mode: 0o755, hash: sha('one\n') })
    expect(all.locate('link')).toBe('a.txt')
    expect(all.locate('link', { link: true })).toBe('link')
    expect(all.locate('.')).toBe('.')
  })

  it('reads by position', () => {
    const file = all.open('a.txt')
    expect([file.size, file.read(1, 3).toString(), file.read(4, 100).toString(), file.read(100, 1).length]).toEqual([
      6,
      'lph',
      'a\n',
      0,
    ])
    file.close()
    file.close()
  })

  it('tells what is there', () => {
    expect(all.stat('src')).toMatchObject({ type: 'directory', path: 'src' })
    expect(all.stat('link')).toMatchObject({ type: 'file', path: 'a.txt', size: 6 })
    expect(all.stat('no/such/file')).toBeUndefined()
    expect(all.stat('.')).toMatchObject({ type: 'directory', path: '.' })
    expect(all.list('.').map(({ name, type }) => `${type} ${name}`)).toEqual([
      'file a.txt',
      'symlink dir',
      'symlink link',
      'directory src',
    ])
    expect(all.list('dir').map(entry => entry.path)).toEqual(['src/index.ts', 'src/utils'])
    expect(all.list('')).toEqual(all.list('.'))
  })

  it('says what is wrong', () => {
    expect(codeOf(() => all.read('nothing'))).toBe('not_found')
    expect(codeOf(() => all.read('src'))).toBe('not_a_file')
    expect(codeOf(() => all.read('.'))).toBe('not_a_file')
    expect(codeOf(() => all.list('a.txt'))).toBe('not_a_directory')
    expect(codeOf(() => all.list('nothing'))).toBe('not_found')
  })

  it('never opens pipes, sockets and what is behind them', async () => {
    execFileSync('mkfifo', [join(ws, 'fifo')])
    const server = createServer()
    await new Promise<void>(done => server.listen(join(ws, 'sock'), done))
    const start = performance.now()
    const worked = processorMs()
    for (const path of ['fifo', 'sock'])
      for (const act of [
        all.read,
        all.open,
        (p: string) => all.put(p, Buffer.from('x')),
        all.remove,
        (p: string) => all.move(p, 'x'),
      ])
        expect(codeOf(() => act(path))).toBe('not_a_file')
    expect(all.stat('fifo')?.type).toBe('other')
    // Opening a pipe would wait for its other end for ever.
    expect(processorMs() - worked).toBeLessThan(500)
    expect(performance.now() - start).toBeLessThan(20_000)
    server.close()
  })

  it('handles odd names', () => {
    const names = ['new\nline', '-rf', '--help', 'sp ace', '~', '$HOME', '*', 'back\\slash', 'bad\udcff', '日本']
    for (const name of names) put(`odd/${name}`, name.toWellFormed())
    expect(all.list('odd').map(entry => entry.name)).toEqual(names.toSorted())
    for (const name of names) expect(text(`odd/${name}`)).toBe(name.toWellFormed())
    writeFileSync(Buffer.concat([Buffer.from(`${ws}/disk`), Buffer.of(0xe9)]), 'x')
    expect(all.list('.').map(entry => entry.name)).toContain('disk\udce9')
    expect(text('disk\udce9')).toBe('x')
  })
})

describe('the grant', () => {
  const only = (action: 'read' | 'create' | 'write', resource: string) => open([{ action, resource }])

  it('covers the real path of what was claimed, and nothing else', () => {
    expect(text('dir/index.ts', only('read', 'src/index.ts'))).toBe('one\n')
    expect(text('dir/index.ts', only('read', 'src/**'))).toBe('one\n')
    expect(codeOf(() => only('read', 'dir/**').read('dir/index.ts'))).toBe('denied')
    expect(codeOf(() => only('read', 'src/**').read('a.txt'))).toBe('denied')
    expect(codeOf(() => only('read', 'sr/**').list('src'))).toBe('denied')
    expect(only('read', 'src/**').list('src')).toHaveLength(2)
    expect(only('read', '.').list('.')).toHaveLength(4)
  })

  it('tells reading, creating and writing apart', () => {
    const bytes = Buffer.from('x')
    expect(codeOf(() => only('read', '**').put('n', bytes))).toBe('denied')
    expect(codeOf(() => only('create', 'n').put('n', bytes))).toBe('ok')
    expect(codeOf(() => only('create', 'a.txt').put('a.txt', bytes))).toBe('denied')
    expect(codeOf(() => only('write', 'a.txt').put('a.txt', bytes))).toBe('ok')
    expect(codeOf(() => only('write', 'a.txt').read('a.txt'))).toBe('denied')
    expect(codeOf(() => only('create', '**').remove('a.txt'))).toBe('denied')
    expect(codeOf(() => only('create', '**').setMode('a.txt', 0o600))).toBe('denied')
    expect(codeOf(() => only('create', '**').move('a.txt', 'b.txt'))).toBe('denied')
    expect(codeOf(() => only('write', 'a.txt').move('a.txt', 'b.txt'))).toBe('denied')
    expect(codeOf(() => only('read', '**').makeDirectory('d'))).toBe('denied')
    expect(() => only('read', '**').put('n', bytes)).toThrow("'n' was not claimed for write")
  })
})

describe('changing', () => {
  it('SG-19: stages: the view changes, the disk does not', () => {
    put('a.txt', 'new\n')
    put('deep/er/b.txt', 'b')
    all.remove('src/index.ts')
    all.move('link', 'src/renamed')
    expect([text('a.txt'), text('deep/er/b.txt'), all.stat('src/index.ts')]).toEqual(['new\n', 'b', undefined])
    expect(all.list('deep').map(entry => `${entry.type} ${entry.path}`)).toEqual(['directory deep/er'])
    expect(all.list('src').map(entry => entry.name)).toEqual(['renamed', 'utils'])
    expect(all.stat('deep/er/b.txt')).toMatchObject({ type: 'file', size: 1, mode: 0o644 })
    expect(readdirSync(ws).toSorted()).toEqual(['a.txt', 'dir', 'link', 'src'])
    expect(readFileSync(join(ws, 'a.txt'), 'utf8')).toBe('alpha\n')
    expect(told()).toEqual([
      'change a.txt',
      'mkdir deep',
      'mkdir deep/er',
      'create deep/er/b.txt',
      'delete src/index.ts',
      'move src/renamed link',
    ])
    expect(steps()).toEqual([
      'delete src/index.ts',
      'mkdir deep',
      'mkdir deep/er',
      'move link src/renamed',
      'put a.txt',
      'put deep/er/b.txt',
    ])
  })

  it('keeps the mode, or takes the one that is asked for', () => {
    put('src/index.ts', 'two')
    put('n', 'x', { mode: 0o700 })
    all.setMode('a.txt', 0o600)
    expect(['src/index.ts', 'n', 'a.txt'].map(path => all.stat(path)?.mode)).toEqual([0o755, 0o700, 0o600])
    expect(told()).toEqual(['mode a.txt', 'create n', 'change src/index.ts'])
    expect(codeOf(() => all.setMode('a.txt', 0o4755))).toBe('invalid_input')
    expect(codeOf(() => all.setMode('src', 0o700))).toBe('not_a_file')
  })

  it('writes through a link to the file it means', () => {
    put('link', 'through')
    put('dir/new.ts', 'x')
    expect(told()).toEqual(['change a.txt', 'create src/new.ts'])
  })

  it('forgets what leads back to the disk', () => {
    put('a.txt', 'alpha\n')
    put('n', 'x')
    all.remove('n')
    all.move('a.txt', 'b.txt')
    all.move('b.txt', 'c.txt')
    all.move('c.txt', 'a.txt')
    all.setMode('a.txt', 0o600)
    all.setMode('a.txt', lstatSync(join(ws, 'a.txt')).mode & 0o777)
    all.makeDirectory('d')
    all.remove('d')
    all.remove('link')
    expect(told()).toEqual(['delete link'])
    expect(steps()).toEqual(['delete link'])
  })

  it('refuses what cannot be', () => {
    expect(codeOf(() => put('src', 'x'))).toBe('not_a_file')
    expect(codeOf(() => put('new/', 'x'))).toBe('not_a_file')
    expect(codeOf(() => put('.', 'x'))).toBe('not_a_file')
    expect(codeOf(() => put('a.txt/x', 'x'))).toBe('not_a_directory')
    expect(codeOf(() => put('nothing/../x', 'x'))).toBe('not_found')
    expect(codeOf(() => all.remove('.'))).toBe('invalid_input')
    expect(codeOf(() => all.remove('src/..'))).toBe('invalid_input')
    expect(codeOf(() => all.remove(''))).toBe('invalid_input')
    expect(codeOf(() => all.remove('src'))).toBe('not_a_file')
    expect(codeOf(() => all.remove('nothing'))).toBe('not_found')
    expect(codeOf(() => all.move('src', 'x'))).toBe('not_a_file')
    expect(codeOf(() => all.move('a.txt', 'src/index.ts'))).toBe('exists')
    expect(codeOf(() => all.move('a.txt', 'src'))).toBe('exists')
    expect(codeOf(() => all.move('a.txt', '.'))).toBe('exists')
    expect(codeOf(() => all.move('a.txt', 'a.txt'))).toBe('exists')
    expect(codeOf(() => all.move('a.txt', 'new/'))).toBe('not_a_file')
    expect(codeOf(() => all.move('nothing', 'x'))).toBe('not_found')
    expect(codeOf(() => all.makeDirectory('a.txt'))).toBe('exists')
    expect(codeOf(() => all.makeDirectory('a.txt/x'))).toBe('not_a_directory')
    expect(told()).toEqual([])
  })

  it('makes directories and removes empty ones', () => {
    expect(all.makeDirectory('x/y/z/')).toEqual(['x', 'x/y', 'x/y/z'])
    expect(all.makeDirectory('x/y')).toEqual([])
    expect(all.makeDirectory('src')).toEqual([])
    all.remove('src/utils')
    expect(codeOf(() => all.remove('src'))).toBe('not_a_file')
    all.remove('src/index.ts')
    all.remove('src')
    expect([all.stat('src'), codeOf(() => all.list('dir'))]).toEqual([undefined, 'not_found'])
    expect(steps()).toEqual([
      'delete src/index.ts',
      'mkdir x',
      'mkdir x/y',
      'mkdir x/y/z',
      'rmdir src/utils',
      'rmdir src',
    ])
  })

  it('puts a file where a directory was, and a directory where a file was', () => {
    all.remove('src/utils')
    put('src/utils', 'file now')
    all.remove('a.txt')
    put('a.txt/inner', 'x')
    expect([text('src/utils'), text('a.txt/inner')]).toEqual(['file now', 'x'])
    expect(steps()).toEqual(['delete a.txt', 'mkdir a.txt', 'rmdir src/utils', 'put a.txt/inner', 'put src/utils'])
  })

  it('sees a removed link as removed, and a moved one where it is now', () => {
    all.move('dir', 'lib')
    expect(text('lib/index.ts')).toBe('one\n')
    expect(all.stat('dir/index.ts')).toBeUndefined()
    all.remove('link')
    put('link', 'a file now')
    expect([text('link'), text('a.txt')]).toEqual(['a file now', 'alpha\n'])
  })

  it('tells a moved and changed file as one, and carries it out as two steps', () => {
    all.move('a.txt', 'b.txt')
    put('b.txt', 'alpha\nbeta\n')
    expect(told()).toEqual(['move b.txt a.txt'])
    expect(steps()).toEqual(['delete a.txt', 'put b.txt'])
    expect(all.changes()[0]?.diff()).toContain(
      'rename from a.txt\nrename to b.txt\n--- a/a.txt\n+++ b/b.txt\n@@ -1 +1,2 @@\n alpha\n+beta\n',
    )
  })

  it('lets two files change places', () => {
    all.move('a.txt', 't')
    all.move('src/index.ts', 'a.txt')
    all.move('t', 'src/index.ts')
    expect([text('a.txt'), text('src/index.ts')]).toEqual(['one\n', 'alpha\n'])
    expect(steps()).toEqual(['put a.txt', 'put src/index.ts'])
    expect(staging.toOperations()).toMatchObject([{ mode: 0o755 }, { mode: 0o644 }])
  })

  it('uses the name of a moved file again', () => {
    all.move('a.txt', 'b.txt')
    put('a.txt', 'another')
    expect([text('a.txt'), text('b.txt')]).toEqual(['another', 'alpha\n'])
    expect(steps()).toEqual(['put a.txt', 'put b.txt'])
    all.move('dir', 'lib')
    expect(codeOf(() => put('dir', 'x'))).toBe('conflict')
  })

  it('moves a file with a new mode in one step', () => {
    all.move('a.txt', 'b.txt')
    all.setMode('b.txt', 0o700)
    expect(staging.toOperations()).toMatchObject([{ kind: 'move', from: 'a.txt', to: 'b.txt', mode: 0o700 }])
    all.remove('b.txt')
    expect(steps()).toEqual(['delete a.txt'])
  })

  it('shows each change as a diff', () => {
    put('a.txt', 'beta\n')
    put('n', 'x\n')
    all.remove('src/index.ts')
    all.remove('link')
    const diffs = Object.fromEntries(all.changes().map(change => [change.path, change.diff()]))
    expect(diffs['a.txt']).toContain('-alpha\n+beta\n')
    expect(diffs['n']).toContain('new file mode 100644')
    expect(diffs['src/index.ts']).toContain('deleted file mode 100755')
    expect(diffs['link']).toContain('deleted file mode 120000')
    expect(all.changes()[0]).toMatchObject({ before: sha('alpha\n'), after: sha('beta\n'), bytes: 5, mode: 0o644 })
  })

  it('handles files that are too large to keep in memory', () => {
    const large = `${'line\n'.repeat(600_000)}end`
    writeFileSync(join(ws, 'large'), large)
    put('large', `${large}!`)
    expect(all.changes()[0]).toMatchObject({ kind: 'change', before: sha(large), after: sha(`${large}!`) })
    expect(all.changes()[0]?.diff()).toContain('-end\n\\ No newline at end of file\n+end!\n')
    staging.clear()
    all.move('large', 'moved')
    expect(text('moved')).toBe(large)
    expect(steps()).toEqual(['move large moved'])
    staging.clear()
    all.remove('large')
    writeFileSync(join(ws, 'large'), 'changed since')
    expect(codeOf(() => all.changes()[0]?.diff())).toBe('conflict')
  })

  it('notices that a moved file was changed on disk meanwhile', () => {
    all.move('a.txt', 'b.txt')
    writeFileSync(join(ws, 'a.txt'), 'somebody else')
    expect(codeOf(() => all.read('b.txt'))).toBe('conflict')
  })
})

describe('layers', () => {
  it('show what is below, tell only their own changes, and merge', () => {
    put('a.txt', 'first\n')
    put('n', 'n')
    const upper = createStaging(staging)
    const call = open(EVERYTHING, { staging: upper })
    expect(text('a.txt', call)).toBe('first\n')
    call.put('a.txt', Buffer.from('second\n'))
    call.remove('n')
    expect(call.changes().map(change => [change.kind, change.path, change.before])).toEqual([
      ['change', 'a.txt', sha('first\n')],
      ['delete', 'n', sha('n')],
    ])
    expect(call.changes()[0]?.diff()).toContain('-first\n+second\n')
    expect(text('a.txt')).toBe('first\n')
    upper.mergeDown()
    expect([text('a.txt'), told(), upper.own()]).toEqual(['second\n', ['change a.txt'], []])
    expect(staging.toOperations()).toMatchObject([{ kind: 'put', base: { size: 6n } }])
  })

  it('hide a change below by leading back to the disk', () => {
    put('a.txt', 'first\n')
    const upper = createStaging(staging)
    open(EVERYTHING, { staging: upper }).put('a.txt', Buffer.from('alpha\n'))
    expect(upper.toOperations()).toEqual([])
    upper.mergeDown()
    expect(staging.isEmpty()).toBe(true)
  })
})

describe('the stale-write guard', () => {
  const elsewhere = (content: string) => writeFileSync(join(ws, 'a.txt'), content)

  it('takes what was last read as the precondition', () => {
    open(READING).read('a.txt')
    expect(codeOf(() => put('a.txt', 'mine'))).toBe('ok')
    staging.clear()
    elsewhere('theirs')
    for (const act of [() => put('a.txt', 'mine'), () => all.remove('a.txt'), () => all.move('a.txt', 'b')])
      expect(codeOf(act)).toBe('conflict')
    open(READING).read('a.txt')
    expect(codeOf(() => put('a.txt', 'mine'))).toBe('ok')
  })

  it('does not take what a writing call read for itself as a look at the file', () => {
    open(READING).read('a.txt')
    elsewhere('theirs')
    for (let attempt = 0; attempt < 2; attempt++) {
      const edit = open(EVERYTHING)
      edit.read('a.txt')
      expect(codeOf(() => edit.put('a.txt', Buffer.from('mine')))).toBe('conflict')
    }
  })

  it('notices a change between the read and the write of one call', () => {
    all.read('a.txt')
    elsewhere('theirs')
    expect(codeOf(() => put('a.txt', 'mine'))).toBe('conflict')
  })

  it('is content after our own commit', () => {
    open(READING).read('a.txt')
    put('a.txt', 'mine')
    const changes = all.changes()
    elsewhere('mine')
    staging.clear()
    memory.noteChanges(changes)
    expect(codeOf(() => put('a.txt', 'again'))).toBe('ok')
  })

  it('knows that a file that was read is gone', () => {
    open(READING).read('a.txt')
    rmSync(join(ws, 'a.txt'))
    expect(codeOf(() => put('a.txt', 'mine'))).toBe('conflict')
    expect(codeOf(() => open(READING).read('a.txt'))).toBe('not_found')
    expect(codeOf(() => put('a.txt', 'mine'))).toBe('ok')
  })

  it('gives way to a condition of the caller', () => {
    open(READING).read('a.txt')
    elsewhere('theirs')
    expect(codeOf(() => put('a.txt', 'x', { expect: sha('alpha\n') }))).toBe('conflict')
    expect(codeOf(() => put('a.txt', 'x', { expect: 'absent' }))).toBe('exists')
    expect(codeOf(() => put('a.txt', 'x', { expect: sha('theirs') }))).toBe('ok')
    expect(codeOf(() => put('n', 'x', { expect: sha('') }))).toBe('conflict')
    expect(codeOf(() => put('n', 'x', { expect: 'absent' }))).toBe('ok')
    expect(codeOf(() => put('n', 'y', { expect: sha('x') }))).toBe('ok')
  })

  it('does not stand in the way of a second change to what is staged', () => {
    open(READING).read('a.txt')
    put('a.txt', 'first')
    open(READING).read('a.txt')
    expect(codeOf(() => put('a.txt', 'second'))).toBe('ok')
    staging.clear()
    expect(codeOf(() => put('a.txt', 'after a rollback'))).toBe('ok')
  })

  it('where writes are strict, wants a file read before it is replaced', () => {
    const strict = () => open(EVERYTHING, { strictWrites: true })
    expect(() => strict().put('a.txt', Buffer.from('x'))).toThrow(
      expect.objectContaining({ code: 'conflict', hint: expect.stringContaining('Read it first') }),
    )
    expect(codeOf(() => strict().put('n', Buffer.from('x')))).toBe('ok')
    expect(codeOf(() => strict().put('n', Buffer.from('y')))).toBe('ok')
    expect(codeOf(() => strict().put('a.txt', Buffer.from('x'), { expect: sha('alpha\n') }))).toBe('ok')
    staging.clear()
    const edit = strict()
    edit.read('a.txt')
    expect(codeOf(() => edit.put('a.txt', Buffer.from('x')))).toBe('ok')
    staging.clear()
    expect(codeOf(() => strict().put('a.txt', Buffer.from('x')))).toBe('conflict')
    open(READING).read('a.txt')
    expect(codeOf(() => strict().put('a.txt', Buffer.from('x')))).toBe('ok')
  })
})

describe('thousands of calls', () => {
  it('leave no descriptor open', () => {
    const count = () => readdirSync('/proc/self/fd').length
    const before = count()
    for (let round = 0; round < 300; round++) {
      for (const path of ['a.txt', 'dir/index.ts', 'src', 'nothing', '../x', 'link/'])
        for (const act of [
          all.read,
          all.stat,
          all.list,
          all.remove,
          (p: string) => all.move(p, 'm'),
          (p: string) => put(p, 'x'),
        ])
          codeOf(() => act(path))
      staging.clear()
    }
    expect(count()).toBe(before)
  })
})
