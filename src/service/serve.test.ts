import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ToolError } from '../kernel/error.ts'
import { askToLeave, connect, type Connection } from './connect.ts'
import { encodeFrame, frameReader } from './frames.ts'
import { ownBuild } from './own-build.ts'
import { addressOf, makePlace, placeOf, type Place } from './place.ts'
import { serve, type Served } from './serve.ts'

const build = ownBuild()
const SOON = { timeoutMs: 60_000 }

/** What the process gives a method with each question. */
interface Asking {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

let base = ''
let place: Place
let served: Served | undefined
let all: Served[] = []
let connections: Connection[] = []
let left = 0
const aborted: unknown[] = []

const answers = {
  echo: async (question: unknown) => question,
  big: async (question: unknown) => 'x'.repeat(Number(question)),
  refuse() {
    throw new ToolError('not_found', 'Nothing', { hint: 'Look elsewhere', details: { path: 'a' } })
  },
  break() {
    throw new TypeError('broken')
  },
  wait: (question: unknown, { signal }: Asking) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, Number(question), 'waited')
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        aborted.push(signal.reason)
        reject(signal.reason)
      })
    }),
  deaf: () => new Promise(() => {}),
}

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'toolwright-resident-'))
  place = placeOf(base, build)
  left = 0
  aborted.length = 0
})
afterEach(async () => {
  for (const connection of connections) connection.close()
  connections = []
  for (const one of all) await one.close()
  all = []
  rmSync(base, { recursive: true })
})

async function open(): Promise<void> {
  makePlace(place)
  served = await serve({ place, build, answers, onClients() {}, onLeave: () => left++ })
  all.push(served)
}

async function client(): Promise<Connection> {
  const connection = await connect(place, build)
  if (!connection) throw new Error('Nobody answers')
  connections.push(connection)
  return connection
}

/** Sends raw bytes, and tells what came back before the other side ended it. */
async function raw(...pieces: readonly (Buffer | string)[]): Promise<string> {
  const address = addressOf(place.directory, place.socket)
  const socket = connectSocket(address.path)
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(chunk))
  socket.on('error', () => {})
  for (const piece of pieces) socket.write(piece)
  await new Promise(resolve => socket.on('close', resolve))
  address.release()
  return Buffer.concat(chunks).toString('latin1')
}

const greeting = (more: object = {}): Buffer => encodeFrame('request', 0, JSON.stringify({ ...build, ...more }))

describe('the socket', () => {
  it('can be opened by its user alone', async () => {
    await open()
    expect(statSync(place.directory).mode & 0o777).toBe(0o700)
    expect(statSync(join(place.directory, place.socket)).mode & 0o777).toBe(0o600)
  })

  it('takes the place of one that a dead process left', async () => {
    await open()
    const before = statSync(join(place.directory, place.socket)).ino
    await open()
    expect(statSync(join(place.directory, place.socket)).ino).not.toBe(before)
    expect(await (await client()).ask('echo', 1, SOON)).toBe(1)
  })

  it('may lie deeper than the kernel lets an address be long', async () => {
    const deep = join(base, 'd'.repeat(100), 'e'.repeat(100))
    mkdirSync(deep, { recursive: true })
    place = placeOf(deep, build)
    await open()
    expect(await (await client()).ask('echo', { a: 1 }, SOON)).toEqual({ a: 1 })
  })

  it('is gone when it is closed, and no one answers', async () => {
    await open()
    await served?.close()
    all = []
    expect(await connect(place, build)).toBeUndefined()
    expect(statSync(join(place.directory, place.socket), { throwIfNoEntry: false })).toBeUndefined()
  })
})

describe('questions', () => {
  it('are answered, many at once and in any order', async () => {
    await open()
    const { ask } = await client()
    const slow = ask('wait', 200, SOON)
    const many = await Promise.all(Array.from({ length: 50 }, (_, at) => ask('echo', at, SOON)))
    expect(many).toEqual(Array.from({ length: 50 }, (_, at) => at))
    expect(await slow).toBe('waited')
  })

  it('that fail say so with code, hint and details', async () => {
    await open()
    const { ask } = await client()
    await expect(ask('refuse', {}, SOON)).rejects.toMatchObject({
      code: 'not_found',
      message: 'Nothing',
      hint: 'Look elsewhere',
      details: { path: 'a' },
    })
    await expect(ask('break', {}, SOON)).rejects.toMatchObject({ code: 'internal', message: 'broken' })
    await expect(ask('nothing', {}, SOON)).rejects.toMatchObject({ code: 'invalid_input' })
    expect(await ask('echo', 'still here', SOON)).toBe('still here')
  })

  it('with long answers come in parts, and let short ones pass', async () => {
    await open()
    const { ask } = await client()
    const order: string[] = []
    const [long] = await Promise.all([
      ask('big', 30 * 1024 ** 2, SOON).then(text => (order.push('long'), text)),
      ask('echo', 1, SOON).then(() => order.push('short')),
    ])
    expect(String(long).length).toBe(30 * 1024 ** 2)
    expect(order).toEqual(['short', 'long'])
  })

  it('end at their deadline, with a part that hears of it or not', async () => {
    await open()
    const { ask } = await client()
    await expect(ask('wait', 60_000, { timeoutMs: 30 })).rejects.toMatchObject({ code: 'timeout' })
    await expect(ask('deaf', {}, { timeoutMs: 30 })).rejects.toMatchObject({ code: 'timeout' })
    expect(aborted).toMatchObject([{ code: 'timeout' }])
  })

  it('that take their time are waited for as long as the process is there', async () => {
    await open()
    const line = await client()
    expect(await line.ask('wait', 2600, SOON)).toBe('waited')
    expect([line.isOpen(), line.isSilent()]).toEqual([true, false])
  })

  it('can be taken back, before and after they were asked', async () => {
    await open()
    const { ask } = await client()
    const controller = new AbortController()
    const asked = ask('wait', 60_000, { ...SOON, signal: controller.signal })
    setTimeout(() => controller.abort(), 20)
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' })
    await expect(ask('echo', 1, { ...SOON, signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' })
    await pause(20)
    expect(aborted).toMatchObject([{ code: 'cancelled' }])
    expect(await ask('echo', 2, SOON)).toBe(2)
  })

  it('of a client that goes away are ended', async () => {
    await open()
    const { ask, close, isOpen } = await client()
    const asked = ask('wait', 60_000, SOON)
    await pause(20)
    close()
    await expect(asked).rejects.toMatchObject({ code: 'unavailable' })
    await pause(20)
    expect([aborted.length, isOpen()]).toEqual([1, false])
    await expect(ask('echo', 1, SOON)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('beyond what one client may have open are refused, and another client is not', async () => {
    await open()
    const [greedy, other] = [await client(), await client()]
    const many = Array.from({ length: 100 }, () => greedy.ask('wait', 100, SOON).catch(error => error.code))
    expect(await other.ask('echo', 1, SOON)).toBe(1)
    const answered = await Promise.all(many)
    expect(answered.filter(answer => answer === 'unavailable')).toHaveLength(36)
    expect(answered.filter(answer => answer === 'waited')).toHaveLength(64)
  })

  it('of one client wait for no other that does not read its answers', async () => {
    await open()
    const { ask: askFree } = await client()
    const address = addressOf(place.directory, place.socket)
    const stuck = connectSocket(address.path)
    const ask = JSON.stringify({ method: 'big', question: 20 * 1024 ** 2, timeoutMs: 60_000 })
    stuck.pause()
    stuck.write(Buffer.concat([greeting(), encodeFrame('request', 1, ask), encodeFrame('request', 2, ask)]))
    try {
      const start = performance.now()
      for (let turn = 0; turn < 20; turn++) await askFree('echo', turn, SOON)
      // Far less than the other one may take to read.
      expect(performance.now() - start).toBeLessThan(30_000)
    } finally {
      stuck.destroy()
      address.release()
    }
  })

  it('of one client that asks without end and reads nothing are not heard until it reads', async () => {
    await open()
    const other = await client()
    const address = addressOf(place.directory, place.socket)
    const flood = connectSocket(address.path)
    const ask = JSON.stringify({ method: 'nothing', timeoutMs: 60_000 })
    const many = 20_000
    try {
      flood.pause()
      flood.write(greeting())
      flood.write(Buffer.concat(Array.from({ length: many }, (_, at) => encodeFrame('request', at + 1, ask))))
      for (let turn = 0; turn < 50; turn++) {
        expect(await other.ask('echo', turn, SOON)).toBe(turn)
        await pause(5)
      }
      expect(flood.writableLength).toBeGreaterThan(0)
      const answered = new Set<number>()
      const whole = Promise.withResolvers<void>()
      const read = frameReader(({ id }) => answered.add(id).size > many && whole.resolve())
      flood.on('data', read)
      flood.resume()
      await whole.promise
      expect(flood.writableLength).toBe(0)
    } finally {
      flood.destroy()
      address.release()
    }
  })
})

describe('half a frame', () => {
  it('of very many clients is not held for all of them', async () => {
    await open()
    const other = await client()
    const address = addressOf(place.directory, place.socket)
    const half = encodeFrame('request', 1, Buffer.alloc(20 * 1024 ** 2, 32)).subarray(0, 19 * 1024 ** 2)
    const sockets = Array.from({ length: 12 }, () => connectSocket(address.path))
    try {
      const closed = sockets.map(socket => new Promise(resolve => socket.on('error', () => {}).on('close', resolve)))
      for (const socket of sockets) socket.write(Buffer.concat([greeting(), half]))
      await Promise.race(closed)
      expect(await other.ask('echo', 1, SOON)).toBe(1)
      // Seven of them are more than what may be held.
      await expect.poll(() => served?.clients(), { timeout: 60_000 }).toBeLessThanOrEqual(7)
    } finally {
      for (const socket of sockets) socket.destroy()
      address.release()
    }
  })
})

describe('a foreign client', () => {
  it.each([
    ['plain text', 'GET / HTTP/1.1\r\n\r\n'],
    ['a length beyond all bounds', Buffer.from([255, 255, 255, 255, 0, 0, 0, 0, 0])],
    ['an unknown kind', Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 77])],
    ['a greeting that is not JSON', encodeFrame('request', 0, 'hello')],
    ['a greeting that is a number', encodeFrame('request', 0, '1')],
    ['a cancel first', encodeFrame('cancel', 0)],
    ['a request that is not JSON', Buffer.concat([greeting(), encodeFrame('request', 1, '{')])],
    ['a request without a method', Buffer.concat([greeting(), encodeFrame('request', 1, '{"timeoutMs":1}')])],
    ['an answer', Buffer.concat([greeting(), encodeFrame('answer', 1, '{}')])],
    ['a greeting that is announced as long', Buffer.from([0, 0, 0, 3, 0, 0, 0, 0, 0])],
  ])('and sends %s ends its own connection only', async (_what, bytes) => {
    await open()
    const other = await client()
    await raw(bytes)
    expect(await other.ask('echo', 1, SOON)).toBe(1)
    expect(served?.clients()).toBe(1)
  })

  it.each([
    ['version', { version: '0.0.0' }],
    ['build', { build: 'another' }],
    ['protocol', { protocol: 99 }],
  ])('because of another %s hears who is there, and nothing else', async (_what, more) => {
    await open()
    const request = encodeFrame('request', 1, JSON.stringify({ method: 'echo', question: 'secret', timeoutMs: 1000 }))
    const heard = await raw(greeting(more), request)
    expect(heard).toContain(build.build)
    expect(heard).not.toContain('secret')
    expect(await connect({ ...place }, { ...build, ...more })).toBeUndefined()
    expect(left).toBe(0)
  })

  it('may ask it to end, which it does if no other client uses it', async () => {
    await open()
    const user = await client()
    const newer = { ...build, version: '99.0.0' }
    await askToLeave(place.directory, place.socket, newer)
    expect(left).toBe(0)
    user.close()
    await pause(20)
    await askToLeave(place.directory, place.socket, newer)
    await pause(20)
    expect(left).toBe(1)
  })
})
