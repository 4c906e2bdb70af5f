import fc from 'fast-check'
import { Duplex } from 'node:stream'
import { connect } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { readServerName } from './server-name.ts'

/** The first bytes that a real client sends. */
const helloFor = (servername?: string): Promise<Buffer> =>
  new Promise(resolve => {
    const socket = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        resolve(chunk)
        done()
      },
    })
    connect({ socket, ...(servername !== undefined && { servername }) }).on('error', () => {})
  })

describe('readServerName', () => {
  it('finds the name in the hello of a real client, once all of it is there', async () => {
    const hello = await helloFor('registry.example.com')
    expect(readServerName(hello)).toEqual({ name: 'registry.example.com' })
    for (const length of [0, 1, 4, 5, 9, 60, hello.length - 1])
      expect(readServerName(hello.subarray(0, length))).toBe('more')
    expect(readServerName(Buffer.concat([hello, Buffer.from('more')]))).toEqual({ name: 'registry.example.com' })
  })

  it('finds it in a hello that is cut into records', async () => {
    const hello = (await helloFor('registry.example.com')).subarray(5)
    const record = (bytes: Buffer) =>
      Buffer.concat([Buffer.from([22, 3, 1, bytes.length >> 8, bytes.length & 255]), bytes])
    const cut = Buffer.concat([record(hello.subarray(0, 50)), record(hello.subarray(50))])
    expect(readServerName(cut)).toEqual({ name: 'registry.example.com' })
  })

  it('returns none for a hello without a name', async () => {
    expect(readServerName(await helloFor())).toBe('none')
    expect(readServerName(Buffer.from('SSH-2.0-OpenSSH'))).toBe('none')
    expect(readServerName(Buffer.from('GET / HTTP/1.1'))).toBe('none')
  })

  it('answers any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        const answer = readServerName(Buffer.from([22, 3, 1, 0, 100, 1, 0, 0, 90, ...bytes]))
        expect(answer === 'more' || answer === 'none' || typeof answer.name === 'string').toBe(true)
      }),
    )
  })
})
