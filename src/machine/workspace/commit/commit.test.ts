import {
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ToolError } from '../../../kernel/error.ts'
import { scenarios } from '../../../../tests/faults/scenario.ts'
import { differences, directory, file, link, makeWorld, type World } from '../../../../tests/faults/world.ts'
import { commit, type Committed } from './commit.ts'
import type { Operation } from '../operation.ts'
import { LINK_TYPE } from '../identity.ts'
import { recover } from './recover.ts'
import { linuxSys, type Sys } from '../sys.ts'

let world: World
let opened: ReturnType<World['open']>
let ids = 0
beforeEach(() => {
  world = makeWorld(new Map([['a.txt', file('old')]]))
  opened = world.open()
})
afterEach(() => {
  opened.close()
  world.remove()
})

const run = (operations: readonly Operation[], options: object = {}): Committed =>
  commit(opened.root, opened.store, operations, { id: `c${ids++}`, ...options })

const put = (path: string, content: string, mode = 0o644): Operation => ({
  kind: 'put',
  path,
  bytes: Buffer.from(content),
  mode,
  base: lstatSync(join(world.root, path), { throwIfNoEntry: false }) ? world.identity(path) : 'absent',
})

const failure = (work: () => unknown): ToolError => {
  try {
    work()
  } catch (error) {
    if (error instanceof ToolError) return error
    throw error
  }
  throw new Error('did not fail')
}

const untouched = (): void => {
  expect(world.stored().filter(path => path.startsWith('pending/') || path.startsWith('undo/'))).toEqual([])
}

describe('what the caller must not lose', () => {
  it('is brought to disk before anything in the workspace changes', () => {
    const seen: string[] = []
    const look = () => void seen.push(readFileSync(join(world.root, 'a.txt'), 'utf8'), ...marks())
    const marks = () => readdirSync(join(world.state, 'commits', 'pending'), { recursive: true }).map(String)
    run([put('a.txt', 'new')], { sync: look })
    const [content, name, ...inside] = seen
    expect(content).toBe('old')
    expect(inside.toSorted()).toEqual([`${name}/intent.new`, `${name}/n0`])
    expect(readFileSync(join(world.root, 'a.txt'), 'utf8')).toBe('new')
  })

  it('keeps everything as it was where that fails', () => {
    const sync = () => {
      throw new ToolError('io', 'The journal could not be brought to disk.')
    }
    expect(failure(() => run([put('a.txt', 'new')], { sync })).message).toContain('The journal could not')
    expect(readFileSync(join(world.root, 'a.txt'), 'utf8')).toBe('old')
    untouched()
  })
})

describe('a commit', () => {
  it.each(scenarios)('of $name does exactly what was asked', scenario => {
    opened.close()
    world.reset(scenario.before)
    opened = world.open()
    const { changed, identities } = run(scenario.operations(world.identity))
    expect(differences(world.tree(), scenario.after)).toEqual([])
    expect(changed.length).toBeGreaterThanOrEqual(identities.size)
    for (const [path, identity] of identities)
      expect([path, world.identity(path)]).toEqual([path, { ...identity, mtimeNs: expect.any(BigInt) }])
  })

  it('of nothing does nothing', () => {
    expect(run([]).changed).toEqual([])
    mkdirSync(join(world.root, 'there'))
    expect(run([{ kind: 'mkdir', path: 'there', mode: 0o755 }]).changed).toEqual([])
    untouched()
  })

  it('refuses a file that was changed since, names it, and leaves everything as it is', () => {
    const stale = put('a.txt', 'new')
    writeFileSync(join(world.root, 'a.txt'), 'theirs!')
    const error = failure(() => run([put('b.txt', 'b'), stale]))
    expect(error).toMatchObject({ code: 'conflict', details: { path: 'a.txt' } })
    expect(error.hint).toBeTruthy()
    expect([...world.tree()]).toEqual([['a.txt', file('theirs!')]])
    untouched()
  })

  it('refuses a name that was taken since, and a file that is gone', () => {
    expect(failure(() => run([{ ...put('a.txt', 'x'), base: 'absent' } as Operation]))).toMatchObject({
      code: 'conflict',
    })
    const gone = put('a.txt', 'x')
    renameSync(join(world.root, 'a.txt'), join(world.root, 'b.txt'))
    expect(failure(() => run([gone]))).toMatchObject({ code: 'conflict' })
    expect(failure(() => run([{ kind: 'rmdir', path: 'b.txt' }]))).toMatchObject({ code: 'conflict' })
    untouched()
  })

  it('refuses a directory that became a link, and never writes through it', () => {
    mkdirSync(join(world.root, 'src'))
    writeFileSync(join(world.root, 'src', 'x'), 'old')
    const change = put('src/x', 'new')
    mkdirSync(join(world.path, 'outside'))
    writeFileSync(join(world.path, 'outside', 'x'), 'outside')
    renameSync(join(world.root, 'src'), join(world.root, 'src2'))
    symlinkSync(join(world.path, 'outside'), join(world.root, 'src'))
    expect(failure(() => run([change]))).toMatchObject({ code: 'conflict' })
    expect(
      failure(() => run([{ kind: 'put', path: 'src/y', bytes: Buffer.from('y'), mode: 0o644, base: 'absent' }])),
    ).toMatchObject({
      code: 'conflict',
    })
    expect(readdirSync(join(world.path, 'outside'))).toEqual(['x'])
    untouched()
  })

  it('refuses setuid files and fifos', () => {
    expect(failure(() => run([put('s', 'x', 0o4755)]))).toMatchObject({ code: 'denied' })
    execFileSync('mkfifo', [join(world.root, 'fifo')])
    expect(failure(() => run([put('fifo', 'x')]))).toMatchObject({ code: 'not_a_file' })
    expect(failure(() => run([{ kind: 'delete', path: 'fifo', base: world.identity('fifo') }]))).toMatchObject({
      code: 'not_a_file',
    })
    untouched()
  })

  it('replaces one name of a file with several, keeps the others, and says so', () => {
    linkSync(join(world.root, 'a.txt'), join(world.root, 'b.txt'))
    const { warnings } = run([put('a.txt', 'new')])
    expect(readFileSync(join(world.root, 'b.txt'), 'utf8')).toBe('old')
    expect(warnings.join()).toContain('a.txt')
    expect(run([put('a.txt', 'newer')]).warnings).toEqual([])
  })

  it('keeps owner and mode of another user’s file, as far as permitted', () => {
    const isRoot = process.getuid?.() === 0
    const [uid, gid] = isRoot ? [1234, 4321] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
    chownSync(join(world.root, 'a.txt'), uid, gid)
    run([put('a.txt', 'new', 0o640)])
    expect(lstatSync(join(world.root, 'a.txt'))).toMatchObject({ uid, gid })
    expect(lstatSync(join(world.root, 'a.txt')).mode & 0o777).toBe(0o640)
  })

  it('says so where the owner cannot be kept', () => {
    const chown = (): never => {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM' })
    }
    const lstat: Sys['lstat'] = (dir, name) => {
      const found = linuxSys.lstat(dir, name)
      return name === 'a.txt' && found !== undefined ? Object.assign(found, { uid: 77n }) : found
    }
    const { warnings } = run([put('a.txt', 'new')], { sys: { ...linuxSys, chown, lstat } })
    expect(warnings.join()).toContain('77')
    expect(world.tree().get('a.txt')).toBe(file('new'))
  })

  it('takes names that are not UTF-8, and names with newlines and dashes', () => {
    const odd = 'd\u{dcff}/-x\n'
    run([
      { kind: 'mkdir', path: 'd\u{dcff}', mode: 0o755 },
      { kind: 'put', path: odd, bytes: Buffer.from('odd'), mode: 0o600, base: 'absent' },
    ])
    const place = Buffer.concat([Buffer.from(`${world.root}/d`), Buffer.of(0xff), Buffer.from('/-x\n')])
    expect(readFileSync(place, 'utf8')).toBe('odd')
  })

  it('makes a link where the mode says so', () => {
    run([{ kind: 'put', path: 'l', bytes: Buffer.from('a.txt'), mode: LINK_TYPE | 0o777, base: 'absent' }])
    expect(world.tree().get('l')).toBe(link('a.txt'))
  })

  it('makes directories with the mode that was asked for, whatever the umask', () => {
    const before = process.umask(0o077)
    try {
      run([{ kind: 'mkdir', path: 'd', mode: 0o775 }, put('f', 'x', 0o664)])
    } finally {
      process.umask(before)
    }
    expect(world.tree().get('d')).toBe(directory(0o775))
    expect(world.tree().get('f')).toBe(file('x', 0o664))
  })

  it('rejects operations that no caller should make', () => {
    expect(() => run([put('a.txt', '1'), put('a.txt', '2')])).toThrow('Two operations')
    expect(() => run([{ ...put('a.txt', '1'), path: '../x' } as Operation])).toThrow('canonical')
    expect(() => run([put('a.txt', '1')], { id: '../x' })).toThrow('id')
    untouched()
  })
})

describe('a recovery', () => {
  const interrupted = (text: string): string => {
    const name = '000000000.0.0.cut'
    opened.store.active()
    mkdirSync(join(world.state, 'commits', 'pending', name))
    if (text !== '') writeFileSync(join(world.state, 'commits', 'pending', name, 'intent'), text)
    return name
  }

  it('does nothing where nothing was cut off', () => {
    expect(recover(opened.root, opened.store)).toEqual([])
  })

  it('removes a commit that had not begun', () => {
    interrupted('')
    expect(recover(opened.root, opened.store)).toMatchObject([{ id: 'cut', outcome: 'removed' }])
    untouched()
  })

  it.each([
    ['torn', '0123'],
    ['forged', `${'0'.repeat(64)}\n{"id":"cut","at":0,"steps":[{"kind":"delete","path":"a.txt"}]}\n`],
  ])('keeps a %s intent aside and touches nothing', (_, text) => {
    const name = interrupted(text)
    expect(recover(opened.root, opened.store)).toMatchObject([{ id: 'cut', outcome: 'damaged' }])
    expect(readdirSync(join(world.state, 'commits', 'damaged'))).toEqual([name])
    expect([...world.tree()]).toEqual([['a.txt', file('old')]])
    expect(run([put('a.txt', 'new')]).changed).toEqual(['a.txt'])
  })
})
