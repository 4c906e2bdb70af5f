import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeFrame, frameReader, type Frame } from './frames.ts'
import { processorMs } from '../../tests/processor-time.ts'

const frames = fc.array(
  fc.record({
    kind: fc.constantFrom('request', 'part', 'answer', 'failure', 'cancel'),
    id: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    body: fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)),
  }),
  { maxLength: 12 },
)

describe('frames', () => {
  it('come out as they were put in, wherever the stream is cut', () => {
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 40 })), (sent, cuts) => {
        const stream = Buffer.concat(sent.map(({ kind, id, body }) => encodeFrame(kind, id, body)))
        const read: Frame[] = []
        const take = frameReader(({ kind, id, body }) => read.push({ kind, id, body: Buffer.from(body) }))
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const length = cuts[turn % Math.max(cuts.length, 1)] ?? 7
          take(stream.subarray(at, at + length))
          at += length
        }
        expect(read).toEqual(sent)
      }),
    )
  })

  it('of an unknown kind or a length beyond all bounds are refused before their body is read', () => {
    const [long, odd] = [encodeFrame('request', 1, 'x'.repeat(101)), encodeFrame('request', 1)]
    odd[8] = 9
    for (const frame of [long.subarray(0, 9), odd]) {
      const take = frameReader(() => {}, { mostBytes: () => 100 })
      expect(() => take(frame)).toThrow('Not a frame')
    }
  })

  it('are held in pieces without copying what came before over and over', () => {
    let length = 0
    const take = frameReader(({ body }) => (length = body.length))
    const frame = encodeFrame('answer', 1, Buffer.alloc(32 * 1024 ** 2))
    const start = processorMs()
    for (let at = 0; at < frame.length; at += 4096) take(frame.subarray(at, at + 4096))
    expect(length).toBe(32 * 1024 ** 2)
    expect(processorMs() - start).toBeLessThan(2000)
  })
})
