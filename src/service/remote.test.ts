import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AskOptions } from '../kernel/ask-options.ts'
import { ToolError } from '../kernel/error.ts'
import { connect, type Connection } from './connect.ts'
import { ownBuild } from './own-build.ts'
import { makePlace, placeOf } from './place.ts'
import { callNamed, remote } from './remote.ts'
import { serve, type Served } from './serve.ts'

const build = ownBuild()

/** An interface that nothing of the transport knows. */
interface Weather {
  readonly now: { report(question: { readonly of: Set<string> }): Promise<Map<string, Buffer | undefined>> }
  count(question: { readonly to: number }, options?: AskOptions): AsyncIterable<number>
  refuse(question: object): Promise<never>
}

let base = ''
let served: Served
let line: Connection
let sent = 0
let ended = 0
beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'toolwright-remote-'))
  sent = 0
  ended = 0
  const place = placeOf(base, build)
  makePlace(place)
  served = await serve({ place, build, answers: weather, onClients() {}, onLeave() {} })
  const connection = await connect(place, build)
  if (!connection) throw new Error('Nobody answers')
  line = connection
})
afterEach(async () => {
  line.close()
  await served.close()
  rmSync(base, { recursive: true })
})

const weather: Weather = {
  now: {
    report: async ({ of }) =>
      new Map([...of].map(town => [town, town === 'Atlantis' ? undefined : Buffer.from(`rain in ${town}`)])),
  },
  async *count({ to }) {
    try {
      for (; sent < to; sent++) yield sent
      if (to < 0) throw new ToolError('quota', 'No number is that small', { hint: 'Count up' })
    } finally {
      ended++
    }
  },
  async refuse() {
    throw new ToolError('not_found', 'No such town', { details: { town: 'Atlantis' } })
  },
}

describe('an interface at the other end of a socket', () => {
  it('is called as it is here, by question and by answer', async () => {
    const question = { of: new Set(['York', 'Atlantis']) }
    const there = remote<Weather>(line)
    expect(await there.now.report(question)).toStrictEqual(await weather.now.report(question))
    await expect(there.refuse({})).rejects.toMatchObject({ code: 'not_found', details: { town: 'Atlantis' } })
  })

  it('streams items in order, ends with the last one, and fails as it fails here', async () => {
    const there = remote<Weather>(line)
    const numbers: number[] = []
    for await (const number of there.count({ to: 1000 })) numbers.push(number)
    expect(numbers).toEqual(Array.from({ length: 1000 }, (_, at) => at))
    expect(ended).toBe(1)
    await expect(there.count({ to: -1 })[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'quota',
      hint: 'Count up',
    })
  })

  it('sends no more items than its reader takes, and stops where the reader does', async () => {
    const items = remote<Weather>(line).count({ to: 1_000_000 })[Symbol.asyncIterator]()
    expect(await items.next()).toEqual({ done: false, value: 0 })
    await pause(200)
    expect(sent).toBeGreaterThan(1)
    expect(sent).toBeLessThan(100)
    await items.return?.()
    await expect.poll(() => ended).toBe(1)
    expect(await remote<Weather>(line).now.report({ of: new Set() })).toEqual(new Map())
  })

  it('ends a stream at its deadline and at its cancellation', async () => {
    const there = remote<Weather>(line)
    const read = async (options: AskOptions): Promise<void> => {
      for await (const number of there.count({ to: Infinity }, options)) if (number > 5) await pause(20)
    }
    await expect(read({ timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' })
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 100)
    await expect(read({ timeoutMs: 60_000, signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' })
    await expect.poll(() => ended).toBe(2)
  })

  it.each(['now', 'nothing', 'now.nothing', 'constructor', 'now.report.call', '__proto__.toString', ''])(
    'answers to no name but those of its methods: %j',
    name => {
      expect(() => callNamed(weather, name, {}, { timeoutMs: 1000 })).toThrow(/There is no request/)
    },
  )
})
