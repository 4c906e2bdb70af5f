import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorkspaceAt, type OpenWorkspace } from './workspace-resources.ts'
import { commit } from './workspace/commit/commit.ts'
import { readWhole } from './workspace/disk.ts'
import { linuxSys, type Sys } from './workspace/sys.ts'

let base: string
let open: OpenWorkspace[]
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-workspace-')))
  mkdirSync(join(base, 'ws'))
  open = []
})
afterEach(() => {
  for (const workspace of open) workspace.close()
  rmSync(base, { recursive: true, force: true })
})

const openHere = async (): Promise<OpenWorkspace> => {
  const env = { HOME: base, TOOLWRIGHT_STATE: join(base, 'state'), TOOLWRIGHT_CONFIG_HOME: join(base, 'config') }
  const workspace = await openWorkspaceAt(join(base, 'ws'), env, () => 0)
  open.push(workspace)
  return workspace
}
const put = (path: string, text: string) =>
  ({ kind: 'put', path, base: 'absent', bytes: Buffer.from(text), mode: 0o644 }) as const

/** System calls of a process that dies before it renames a file to this name. */
const dyingAt = (name: string): Sys => {
  let dead = false
  const wrap = (call: keyof Sys) => {
    const real = linuxSys[call] as (...args: readonly unknown[]) => unknown
    return (...args: readonly unknown[]) => {
      dead ||= call === 'rename' && args[3] === name
      if (dead && call !== 'close') throw new Error('the process is gone')
      return real(...args)
    }
  }
  return Object.fromEntries(Object.keys(linuxSys).map(call => [call, wrap(call as keyof Sys)])) as unknown as Sys
}

/** Starts a process that replaces `a.txt` as a commit does; resolves while the name is missing. */
async function replacing({ state }: OpenWorkspace): Promise<void> {
  const script = `
    import { linkSync, renameSync, writeFileSync, writeSync } from 'node:fs'
    import { openLock } from ${JSON.stringify(new URL('state/lock.ts', import.meta.url).href)}
    openLock(process.argv[1]).run(() => {
      writeFileSync('new', 'new')
      renameSync('ws/a.txt', 'old')
      writeSync(1, 'moved')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
      linkSync('new', 'ws/a.txt')
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, state.lock], {
    cwd: base,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    child.once('exit', () => reject(new Error('the other process did not take the lock')))
  })
}

describe('a file that another process is replacing', () => {
  it('is looked up again once it is replaced', async () => {
    writeFileSync(join(base, 'ws/a.txt'), 'old')
    const workspace = await openHere()
    await replacing(workspace)
    expect(existsSync(join(base, 'ws/a.txt'))).toBe(false)
    const located = workspace.root.resolve('a.txt')
    expect(readWhole(workspace.root, located).bytes.toString()).toBe('new')
    located.release()
  })

  it('is opened once it is replaced, where it was seen before', async () => {
    writeFileSync(join(base, 'ws/a.txt'), 'old')
    const workspace = await openHere()
    const located = workspace.root.resolve('a.txt')
    await replacing(workspace)
    expect(existsSync(join(base, 'ws/a.txt'))).toBe(false)
    expect(readWhole(workspace.root, located).bytes.toString()).toBe('new')
    located.release()
  })
})

describe('openWorkplace', () => {
  it.each([
    ['done', 'completed', true],
    ['intent', 'removed', false],
  ])('brings a commit that died before %j to its end, and journals it', async (mark, outcome, isThere) => {
    const first = await openHere()
    const operations = [put('a.txt', 'a'), put('b.txt', 'b')]
    expect(() => commit(first.root, first.store, operations, { id: 'cut', sys: dyingAt(mark) })).toThrow('gone')
    first.close()

    const second = await openHere()
    expect(existsSync(join(base, 'ws/a.txt')) && existsSync(join(base, 'ws/b.txt'))).toBe(isThere)
    const [record, ...more] = [...second.journal.read()]
    expect(record).toMatchObject({ type: 'recovery', id: 'cut', outcome })
    expect(more).toEqual([])
    second.close()
    expect([...(await openHere()).journal.read()]).toHaveLength(1)
  })

  it('closes once, however often it is told to', async () => {
    const workspace = await openHere()
    workspace.close()
    const other = await openHere()
    workspace.close()
    other.journal.append({ type: 'note' })
    expect([...other.journal.read()]).toHaveLength(1)
  })

  it('lets several of one process work side by side', async () => {
    const [one, two] = [await openHere(), await openHere()]
    one.journal.append({ type: 'first' })
    two.journal.append({ type: 'second' })
    one.lock.run(() => commit(one.root, one.store, [put('a.txt', 'a')], { id: 'one' }))
    two.lock.run(() => commit(two.root, two.store, [put('b.txt', 'b')], { id: 'two' }))
    expect([...two.journal.read()].map(({ seq }) => seq)).toEqual([1, 2])
    expect(readFileSync(join(base, 'ws/b.txt'), 'utf8')).toBe('b')
  })

  it.each(['commit.key', 'commit.lock', 'journal'])('lets go of everything where %s cannot be opened', async name => {
    const { state, close } = await openHere()
    close()
    const [file, aside] = [join(state.path, name), join(base, 'aside')]
    renameSync(file, aside)
    if (name === 'journal') writeFileSync(file, '')
    else mkdirSync(file)
    const before = readdirSync('/proc/self/fd')
    await expect(openHere()).rejects.toThrow(Error)
    expect(readdirSync('/proc/self/fd')).toEqual(before)
    rmSync(file, { recursive: true })
    renameSync(aside, file)
    expect((await openHere()).state.key).toBe(state.key)
  })

  it('opens with approval rules that cannot be used: none counts', async () => {
    const { state, close } = await openHere()
    close()
    writeFileSync(state.approvals, '{broken')
    const { approvals } = await openHere()
    expect(approvals.workspace.list()).toEqual([])
    expect(approvals.workspace.problem()?.message).toContain(state.approvals)
    expect(approvals.user.problem()).toBeUndefined()
  })
})
