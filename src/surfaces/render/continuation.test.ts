import { describe, expect, it } from 'vitest'
import { continuation } from './continuation.ts'

const again = (input: object): string => `list ${JSON.stringify(input)}`

describe('continuation', () => {
  it('gives the call for the next page', () => {
    const asked = { input: { path: "it's" }, again, takes: () => true }
    expect(continuation({ next: { skip: 2 }, truncated: true }, asked)).toBe(
      `There is more: list {"path":"it's","skip":2}`,
    )
  })

  it('asks for more at once where there are no pages, and says so where there is no limit either', () => {
    const data = { symbols: [{}, {}], truncated: true }
    expect(continuation(data, { input: {}, again, takes: () => true })).toContain('{"limit":20}')
    expect(continuation(data, { input: {}, again, takes: () => false })).toMatch(/^More results exist/)
  })

  it('says nothing of a whole answer', () => {
    expect(continuation({ truncated: false }, { input: {}, again, takes: () => true })).toBeUndefined()
  })
})
