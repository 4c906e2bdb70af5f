import { PassThrough, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { progressBar } from './progress-bar.ts'

function terminal(isTTY: boolean, env = {}) {
  let text = ''
  const stderr = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk)
        done()
      },
    }),
    { isTTY },
  )
  return { env, cwd: '/', stdin: new PassThrough(), stdout: new PassThrough(), stderr, version: '1', text: () => text }
}

describe('a progress bar', () => {
  it('is drawn over itself, and gone when it is cleared', () => {
    const seen = terminal(true)
    const bar = progressBar(seen, 'Reading files')
    bar.show(0, 0)
    bar.show(5000, 10_000)
    expect(seen.text()).toBe(
      `\r\x1b[KReading files ${'░'.repeat(30)} 0 of 0\r\x1b[KReading files ${'█'.repeat(15)}${'░'.repeat(15)} 5,000 of 10,000`,
    )
    bar.clear()
    bar.clear()
    expect(seen.text().endsWith('10,000\r\x1b[K')).toBe(true)
  })

  it.each([
    ['a pipe', terminal(false)],
    ['a terminal that cannot', terminal(true, { TERM: 'dumb' })],
  ])('is nothing on %s', (_what, seen) => {
    const bar = progressBar(seen, 'Reading files')
    bar.show(1, 2)
    bar.clear()
    expect(seen.text()).toBe('')
  })
})
