import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openParsePool } from './parse-pool.ts'

/** Stands for a parser that some files end or hold up, and that tells only that it begins. */
const PROGRAM = `
import { readFrame, writeFrame } from ${JSON.stringify(new URL('../../parser/frames.ts', import.meta.url).href)}
for (let frame = readFrame(0); frame; frame = readFrame(0)) {
  if ('settings' in frame) continue
  const { type, files = [] } = frame.message ?? {}
  files.forEach(({ path }, at) => {
    if (at === 0) writeFrame(1, { at })
    if (path === 'grows') globalThis.kept = Buffer.alloc(250_000_000, 1)
    if (path === 'ends') process.exit(1)
    if (path === 'crashes') process.kill(process.pid, 'SIGSEGV')
    if (path === 'fails') throw new Error('fails')
    while (path === 'hangs' || path === 'crashes');
  })
  writeFrame(1, { answer: type === 'parse' ? files.map(file => ({ ...file, content: file.path === 'pid' ? String(process.pid) : 'read' })) : undefined })
}
`

describe('processes that parse', () => {
  it.each(['ends', 'crashes', 'fails', 'hangs'])(
    'go on where one file %s, which is given without content',
    async kind => {
      const directory = mkdtempSync(join(tmpdir(), 'toolwright-pool-'))
      const program = join(directory, 'program.mjs')
      writeFileSync(program, PROGRAM)
      const pool = openParsePool({
        directory,
        cacheFile: undefined,
        program,
        longestMs: kind === 'hangs' ? 2_500 : 60_000,
      })
      try {
        const files = ['a', 'b', kind, 'c'].map(path => ({ path, stamp: '1' }))
        const parsed = await pool.parse(files)
        expect(parsed.map(({ path, content }) => [path, content])).toEqual([
          ['a', 'read'],
          ['b', 'read'],
          [kind, undefined],
          ['c', 'read'],
        ])
        const unparsed = kind === 'hangs' ? 'parsing took longer than 5 s' : 'the parser ended unexpectedly'
        expect(await pool.parse([{ path: kind, stamp: '1' }])).toMatchObject([{ path: kind, stamp: '1', unparsed }])
      } finally {
        await pool.close()
        rmSync(directory, { recursive: true })
      }
    },
  )
})

describe('a program that does not start', () => {
  it('leaves its files unparsed after two tries', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'toolwright-pool-'))
    const [program, starts] = [join(directory, 'program.mjs'), join(directory, 'starts')]
    writeFileSync(
      program,
      `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(starts)}, '.'); process.exit(1)`,
    )
    const pool = openParsePool({ directory, cacheFile: undefined, program })
    try {
      const files = Array.from({ length: 20 }, (_, at) => ({ path: `${at}.ts`, stamp: '1' }))
      const unparsed = 'the parser ended unexpectedly'
      expect(await pool.parse(files)).toMatchObject(files.map(file => ({ ...file, unparsed })))
      expect(readFileSync(starts, 'utf8')).toBe('..')
    } finally {
      await pool.close()
      rmSync(directory, { recursive: true })
    }
  })
})

describe('a process without work', () => {
  it('ends, and another does the next', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'toolwright-pool-'))
    const program = join(directory, 'program.mjs')
    writeFileSync(program, PROGRAM)
    const pool = openParsePool({ directory, cacheFile: undefined, program, restMs: 20 })
    const pid = async () => Number((await pool.parse([{ path: 'pid', stamp: '1' }]))[0]?.content)
    try {
      const first = await pid()
      await expect.poll(() => isRunning(first), { timeout: 20_000 }).toBe(false)
      expect(await pid()).not.toBe(first)
      // Whenever work comes, no process that is ending gets it.
      for (let wait = 0; wait < 40; wait += 4) {
        await pause(wait)
        expect(isRunning(await pid())).toBe(true)
      }
    } finally {
      await pool.close()
      rmSync(directory, { recursive: true })
    }
  })
})

describe('a process that has grown', () => {
  it.runIf(process.platform === 'linux')('ends when its work is done, and one that has not waits', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'toolwright-pool-'))
    const program = join(directory, 'program.mjs')
    writeFileSync(program, PROGRAM)
    const pool = openParsePool({ directory, cacheFile: undefined, program, restMs: 600_000 })
    const pidAfter = async (...paths: string[]) =>
      Number((await pool.parse([...paths, 'pid'].map(path => ({ path, stamp: '1' })))).at(-1)?.content)
    try {
      const large = await pidAfter('grows')
      await expect.poll(() => isRunning(large)).toBe(false)
      const small = await pidAfter()
      await pause(300)
      expect(await pidAfter()).toBe(small)
    } finally {
      await pool.close()
      rmSync(directory, { recursive: true })
    }
  })
})

describe('a process of a closed pool', () => {
  it('is taken over by the next, unless its priority is another or it hangs', { timeout: 60_000 }, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'toolwright-pool-'))
    const program = join(directory, 'program.mjs')
    writeFileSync(program, PROGRAM)
    const pidOf = async (isPatient: boolean, hangs = false) => {
      const pool = openParsePool({ directory, cacheFile: undefined, program, isPatient })
      try {
        const pid = Number((await pool.parse([{ path: 'pid', stamp: '1' }]))[0]?.content)
        if (hangs) void pool.parse([{ path: 'hangs', stamp: '1' }])
        return pid
      } finally {
        await pool.close()
      }
    }
    try {
      const first = await pidOf(false)
      expect(await pidOf(true)).not.toBe(first)
      expect(await pidOf(false, true)).toBe(first)
      expect(isRunning(first)).toBe(false)
      expect(await pidOf(false)).not.toBe(first)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('has no file to blame where the system kills it, as all that rest, when it is taken over', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'toolwright-pool-'))
    const program = join(directory, 'program.mjs')
    writeFileSync(program, PROGRAM)
    const open = () => openParsePool({ directory, cacheFile: undefined, program })
    const first = open()
    const pids = await Promise.all([first, first].map(pool => pool.parse([{ path: 'pid', stamp: '1' }])))
    await first.close()
    const second = open()
    try {
      for (const [found] of pids) process.kill(Number(found?.content), 'SIGKILL')
      const [a, b] = await second.parse(['a', 'pid'].map(path => ({ path, stamp: '1' })))
      expect(a).toEqual({ path: 'a', stamp: '1', content: 'read' })
      expect(isRunning(Number(b?.content))).toBe(true)
    } finally {
      await second.close()
      rmSync(directory, { recursive: true })
    }
  })

  it('is no longer that of the pool, whatever that is still asked for', { timeout: 60_000 }, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'toolwright-pool-'))
    const program = join(directory, 'program.mjs')
    writeFileSync(program, PROGRAM)
    const pidIn = async (pool: ReturnType<typeof openParsePool>) =>
      Number((await pool.parse([{ path: 'pid', stamp: '1' }]))[0]?.content)
    const open = () => openParsePool({ directory, cacheFile: undefined, program })
    try {
      const [first, second] = [open(), open()]
      const pid = await pidIn(first)
      await first.close()
      expect(await pidIn(second)).toBe(pid)
      await first.close()
      expect(await first.load()).toEqual({ files: [], isLast: true })
      expect(await first.parse([{ path: 'a', stamp: '1' }])).toEqual([])
      // Had the first one released it again, a third would share it.
      const third = open()
      expect(await pidIn(third)).not.toBe(pid)
      expect(await pidIn(second)).toBe(pid)
      await Promise.all([second.close(), third.close()])
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('reads the next workspace and keeps its facts there', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'toolwright-pool-'))
    try {
      for (const name of ['one', 'two']) {
        const workspace = join(directory, name)
        mkdirSync(workspace)
        writeFileSync(join(workspace, 'a.ts'), `export const ${name} = 1\n`)
      }
      // Files that changed a moment ago are not kept.
      await pause(100)
      for (const name of ['one', 'two']) {
        const settings = { directory: join(directory, name), cacheFile: join(directory, `${name}.sqlite`) }
        for (const isStored of [false, true]) {
          const pool = openParsePool(settings)
          const files = isStored ? (await pool.load()).files : await pool.parse([{ path: 'a.ts', stamp: '1' }])
          await pool.close()
          expect(files).toMatchObject([{ path: 'a.ts', facts: { exports: [name] } }])
        }
      }
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('the end of the processes', () => {
  const NAMES = Array.from({ length: 120 }, (_, at) => `f${at}.ts`)
  const wanted = NAMES.map(path => ({ path, stamp: '1' }))
  let directory = ''
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'toolwright-pool-'))
    for (const name of NAMES) writeFileSync(join(directory, name), `export const ${name.slice(0, -3)} = 1\n`)
    mkdirSync(join(directory, 'cache'))
    // Files that changed a moment ago are not kept.
    await pause(100)
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it('loses nothing that was parsed, even by a process that is at work', async () => {
    const cacheFile = join(directory, 'cache', 'facts.sqlite')
    const pool = openParsePool({ directory, cacheFile })
    await pool.parse(wanted.slice(0, 60))
    const last = pool.parse(wanted.slice(60))
    await pool.close()
    expect(await last).toHaveLength(60)

    const again = openParsePool({ directory, cacheFile })
    try {
      const { files } = await again.load()
      expect(files.map(({ path }) => path).toSorted()).toEqual(NAMES.toSorted())
    } finally {
      await again.close()
    }
  })

  it.each([
    ['nowhere to keep anything', () => undefined],
    ['a place that never was', (at: string) => join(at, 'none', 'facts.sqlite')],
    ['a place that is gone', (at: string) => join(at, 'cache', 'facts.sqlite')],
  ])('with %s waits for nothing', async (_what, place) => {
    const pool = openParsePool({ directory, cacheFile: place(directory) })
    await pool.parse(wanted)
    rmSync(join(directory, 'cache'), { recursive: true })
    const since = performance.now()
    await pool.close()
    // A process that has to be given up takes ten seconds and more.
    expect(performance.now() - since).toBeLessThan(8000)
  })
})
