import { describe, expect, it } from 'vitest'
import { requestReader, type StartRequest } from './start-request.ts'

function heard(...chunks: readonly (string | Buffer)[]) {
  const events: (string | StartRequest)[] = []
  const read = requestReader({
    begun: () => void events.push('begun'),
    asked: request => void events.push(request),
    ended: () => void events.push('ended'),
  })
  for (const chunk of chunks) read(Buffer.from(chunk))
  return events
}

const REQUEST = `${['5', '0', '42', '/usr/bin/git', 'a\n', ''].join('\u0000')}\u0000`
const ASKED = { file: 0, pid: 42, path: '/usr/bin/git', args: ['a\n', ''] }

describe('a request of a stand-in', () => {
  it('is read whatever pieces it comes in, and its end after it', () => {
    const whole = ['begun', ASKED, 'ended']
    expect(heard(`${REQUEST}\u0000`)).toEqual(whole)
    expect(heard(...`${REQUEST}\u0000`)).toEqual(whole)
    expect(heard(`${REQUEST}\u0000${REQUEST}\u0000`)).toEqual([...whole, ...whole])
  })

  it('is passed over where it is none', () => {
    expect(heard('nonsense\u0000', '-1\u0000', '2\u0000', '99999999\u0000')).toEqual([])
  })

  it('may be as long as the arguments of a program, and no longer', () => {
    const long = 'x'.repeat(1024 * 1024)
    expect(heard(`4\u00000\u00001\u0000p\u0000${long}`, '\u0000')).toEqual([
      'begun',
      { file: 0, pid: 1, path: 'p', args: [long] },
    ])
    expect(heard('4\u00000\u00001\u0000p\u0000', ...Array.from({ length: 9 }, () => long), '\u0000')).toEqual(['begun'])
  })
})
