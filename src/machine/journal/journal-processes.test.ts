import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openJournal, type Journal, type JournalOptions } from './journal.ts'
import { verifyJournal } from './verify.ts'

let base = ''
let dir = ''
const opened: Journal[] = []

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'toolwright-journal-'))
  dir = join(base, 'journal')
})
afterEach(() => {
  for (const journal of opened.splice(0)) journal.close()
  rmSync(base, { recursive: true })
})

const open = (options: Partial<JournalOptions> = {}): Journal => {
  const journal = openJournal(dir, { lock: join(base, 'journal.lock'), ...options })
  opened.push(journal)
  return journal
}
const file = () => join(dir, 'journal.jsonl')

describe('several processes', () => {
  const script = (count: number, each: string) => `
    import { openJournal } from ${JSON.stringify(new URL('./journal.ts', import.meta.url).href)}
    const journal = openJournal(process.argv[1], { lock: process.argv[2], segmentBytes: 20_000 })
    for (let i = 0; i < ${count}; i++) { journal.append({ who: process.pid, i }); ${each} }
  `
  const start = (code: string) => {
    const args = ['--input-type=module-typescript', '-e', code, dir, join(base, 'journal.lock')]
    return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const ended = async (children: readonly ReturnType<typeof start>[]) => {
    const codes = await Promise.all(children.map(child => once(child, 'exit')))
    expect(codes.map(([code]) => code)).toEqual(children.map(() => 0))
  }

  it('write one chain, losing nothing', async () => {
    const spaced = 'if (i % 10 === 0) await new Promise(done => setTimeout(done, 1))'
    await ended([start(script(150, spaced)), start(script(150, spaced)), start(script(150, ''))])
    expect(verifyJournal(dir)).toMatchObject({ ok: true, records: 450, problems: [] })
    const own = Map.groupBy(open().read(), record => record['who'])
    for (const records of own.values())
      expect(records.map(record => record['i'])).toEqual(Array.from({ length: 150 }, (_, i) => i))
  })

  it('are no alarm to who verifies while they write', async () => {
    const done = ended([
      start(script(400, 'if (i % 5 === 0) await new Promise(done => setTimeout(done, 1))')),
      start(script(400, '')),
    ])
    const tick = () => new Promise(next => setTimeout(next, 5, 'running'))
    while ((await Promise.race([done, tick()])) === 'running') expect(verifyJournal(dir).problems).toEqual([])
    expect(verifyJournal(dir)).toMatchObject({ ok: true, records: 800 })
  })

  it('get their turn while another writes in a loop that never pauses', async () => {
    const stop = join(base, 'stop')
    const busy = `while (!existsSync(${JSON.stringify(stop)})) journal.append({ busy: true })`
    const hog = start(`import { existsSync } from 'node:fs'\n${script(1, busy)}`)
    await expect
      .poll(() => existsSync(file()) && statSync(file()).size, { interval: 5, timeout: 60_000 })
      .toBeGreaterThan(500)
    for (let i = 0; i < 3; i++) open().append({ mine: i })
    expect(hog.exitCode).toBeNull()
    writeFileSync(stop, '')
    await ended([hog])
    expect(verifyJournal(dir).problems).toEqual([])
    expect([...open().read()].filter(record => 'mine' in record)).toHaveLength(3)
  })

  it('write while another one computes right after its own record', async () => {
    const block = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
    const blocked = start(script(1, block))
    await expect
      .poll(() => existsSync(file()) && statSync(file()).size, { interval: 5, timeout: 60_000 })
      .toBeGreaterThan(50)
    expect(open().append({ mine: true }).seq).toBe(2)
    blocked.kill('SIGKILL')
    await once(blocked, 'exit')
  })

  it('leave whole records when one is killed', async () => {
    const child = start(script(1e9, 'if (i % 50 === 0) await new Promise(done => setTimeout(done, 1))'))
    await expect
      .poll(() => existsSync(file()) && statSync(file()).size, { interval: 20, timeout: 60_000 })
      .toBeGreaterThan(5000)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const { seq } = open().append({ after: true })
    expect(seq).toBeGreaterThan(1)
    opened.splice(0).forEach(journal => journal.close())
    expect(verifyJournal(dir)).toMatchObject({ ok: true, last: seq })
  })

  it.runIf(process.platform === 'linux')('leave no half line when the disk refuses the rest of a write', () => {
    const code = `${script(1, '')}
      try { for (let i = 0; i < 100; i++) journal.append({ i, text: 'x'.repeat(700) }) } catch (error) { console.log(error.code) }`
    const run = spawnSync('sh', [
      '-c',
      'ulimit -f 16; exec "$0" "$@"',
      process.execPath,
      '--input-type=module-typescript',
      '-e',
      code,
      dir,
      join(base, 'journal.lock'),
    ])
    expect(run.stdout.toString().trim()).toBe('io')
    expect(verifyJournal(dir)).toMatchObject({ ok: true })
    expect(verifyJournal(dir).records).toBeGreaterThan(5)
    expect(readFileSync(file(), 'utf8').endsWith('}\n')).toBe(true)
  })
})
