import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openParsePool } from './parse-pool.ts'

/** No text is known that ends or holds up a parser, so a program stands for one that has such. */
const PROGRAM = `
import { parentPort, workerData } from 'node:worker_threads'
parentPort.on('message', ({ type, files = [] }) => {
  files.forEach(({ path }, at) => {
    Atomics.store(workerData.progress, 0, at)
    if (path === 'ends') process.exit(1)
    if (path === 'fails') throw new Error('fails')
    while (path === 'hangs');
  })
  parentPort.postMessage(type === 'parse' ? { type: 'parsed', files: files.map(file => ({ ...file, content: 'read' })) } : { type: 'done' })
})
`

describe('threads that parse', () => {
  it.each(['ends', 'fails', 'hangs'])('go on where one file %s, which is given without content', async kind => {
    const directory = mkdtempSync(join(tmpdir(), 'toolwright-pool-'))
    const program = join(directory, 'program.mjs')
    writeFileSync(program, PROGRAM)
    const pool = openParsePool({ directory, cacheFile: undefined, program, longestMs: 500 })
    try {
      const files = ['a', 'b', kind, 'c'].map(path => ({ path, stamp: '1' }))
      const parsed = await pool.parse(files)
      expect(parsed.map(({ path, content }) => [path, content])).toEqual([
        ['a', 'read'],
        ['b', 'read'],
        [kind, undefined],
        ['c', 'read'],
      ])
      expect(await pool.parse([{ path: kind, stamp: '1' }])).toEqual([{ path: kind, stamp: '1' }])
    } finally {
      await pool.close()
      rmSync(directory, { recursive: true })
    }
  })
})
