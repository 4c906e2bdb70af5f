import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ToolError } from '../../kernel/error.ts'
import { openLock } from './lock.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lockModule = new URL('lock.ts', import.meta.url).href

/** Another process that takes the lock, says so, and holds it until it is killed or its input ends. */
async function otherHolder(file: string): Promise<{ pid: number; kill: () => Promise<void> }> {
  const script = `
    import { openLock } from ${JSON.stringify(lockModule)}
    openLock(process.argv[1]).acquire(10000)
    process.stdout.write('held')
    process.stdin.resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    child.once('exit', () => reject(new Error('the other process did not take the lock')))
  })
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
  return {
    pid: child.pid ?? 0,
    kill: async () => {
      child.kill('SIGKILL')
      await gone
    },
  }
}

const failure = (work: () => unknown): ToolError => {
  try {
    work()
  } catch (error) {
    if (error instanceof ToolError) return error
    throw error
  }
  throw new Error('did not fail')
}

describe('a lock', () => {
  it('runs what only looks in spite of a process that keeps it, and at once where this process does', async () => {
    const file = join(folder, 'a.lock')
    const lock = openLock(file)
    const other = await otherHolder(file)
    expect(lock.whileFree(() => 7)).toBe(7)
    expect(lock.isHeld()).toBe(false)
    await other.kill()
    expect(lock.run(() => [lock.isHeld(), lock.whileFree(() => 8)])).toEqual([true, 8])
    lock.close()
  })

  it('runs work, gives its result, and is free again afterwards, even when the work throws', () => {
    const lock = openLock(join(folder, 'a.lock'))
    expect(lock.run(() => 7)).toBe(7)
    expect(() =>
      lock.run(() => {
        throw new Error('boom')
      }),
    ).toThrow('boom')
    expect(lock.run(() => 8)).toBe(8)
    lock.close()
  })

  it('keeps its file to this user', () => {
    openLock(join(folder, 'a.lock')).close()
    expect(statSync(join(folder, 'a.lock')).mode & 0o777).toBe(0o600)
  })

  it('refuses a second holder in the same process at once, under any spelling of the path', () => {
    symlinkSync(folder, `${folder}-link`)
    const one = openLock(join(folder, 'a.lock'))
    const two = openLock(join(`${folder}-link`, 'a.lock'))
    one.acquire(1000)
    expect(failure(() => two.acquire(1000))).toMatchObject({ code: 'unavailable' })
    expect(failure(() => one.run(() => 1))).toMatchObject({ code: 'unavailable' })
    two.close()
    one.release()
    expect(one.run(() => 1)).toBe(1)
    one.close()
    unlinkSync(`${folder}-link`)
  })

  it('names the process that holds it, and is free as soon as that process is killed', async () => {
    const file = join(folder, 'a.lock')
    const other = await otherHolder(file)
    const lock = openLock(file)
    const error = failure(() => lock.acquire(50))
    expect(error).toMatchObject({ code: 'unavailable' })
    expect(error.message).toContain(`process ${other.pid}`)
    expect(error.hint).toContain('try again')
    await other.kill()
    lock.acquire(1000)
    lock.close()
  })

  it('is waited for, and taken as soon as its holder gives it back', async () => {
    const file = join(folder, 'a.lock')
    const lock = openLock(file)
    lock.run(() => 1)
    const other = await otherHolder(file)
    spawn('/bin/sh', ['-c', `sleep 0.2; kill -9 ${other.pid}`], { stdio: 'ignore' })
    // Blocks this process until then.
    expect(lock.run(() => 2)).toBe(2)
    await other.kill()
    lock.close()
  })

  it('is held by one thread or process at a time, however many have taken it before', async () => {
    const [file, counter] = [join(folder, 'a.lock'), join(folder, 'counter')]
    writeFileSync(counter, '0')
    const count = `
      import { readFileSync, writeFileSync } from 'node:fs'
      import { openLock } from ${JSON.stringify(lockModule)}
      const lock = openLock(${JSON.stringify(file)})
      for (let done = 0; done < 100; done++)
        lock.run(() => writeFileSync(${JSON.stringify(counter)}, String(Number(readFileSync(${JSON.stringify(counter)}, 'utf8')) + 1)))`
    const thread = () => new Worker(count, { eval: true })
    const child = () => spawn(process.execPath, ['--input-type=module', '-e', count], { stdio: 'inherit' })
    const ends = [thread(), thread(), child(), child()].map(
      one => new Promise(resolve => void one.once('exit', resolve)),
    )
    expect(await Promise.all(ends)).toEqual([0, 0, 0, 0])
    expect(readFileSync(counter, 'utf8')).toBe('400')
  })

  it('is not let go by opening and closing other handles in the process that holds it', async () => {
    const file = join(folder, 'a.lock')
    const one = openLock(file)
    one.acquire(1000)
    openLock(file).close()
    const child = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { openLock } from ${JSON.stringify(lockModule)}
       try { openLock(process.argv[1]).acquire(50); process.exit(1) } catch { process.exit(0) }`,
      file,
    ])
    expect(await new Promise(resolve => child.once('exit', resolve))).toBe(0)
    one.close()
  })

  it('notices that its file was deleted and replaced', () => {
    const file = join(folder, 'a.lock')
    const lock = openLock(file)
    lock.run(() => 1)
    writeFileSync(join(folder, 'other'), 'x')
    unlinkSync(file)
    expect(lock.run(() => 2)).toBe(2)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    lock.close()
  })

  it('refuses work that is not finished when it returns', () => {
    const lock = openLock(join(folder, 'a.lock'))
    expect(() => lock.run(() => Promise.resolve(1))).toThrow('synchronous')
    lock.close()
  })
})
