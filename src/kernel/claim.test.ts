import { describe, expect, it } from 'vitest'
import { linkWrites, reads } from './claim.ts'

describe('claims on files', () => {
  it('name one file each', () => {
    expect(reads('a', 'src/**.ts')).toEqual([
      { action: 'read', resource: 'a' },
      { action: 'read', resource: 'src/**.ts' },
    ])
    expect(linkWrites('a')).toEqual([{ action: 'write', resource: 'a', link: true }])
  })

  it.each(['**', 'src/**', './src/**', 'src/**/'])('cannot be widened to a tree by a caller who names %j', path => {
    expect(() => reads(path)).toThrow('does not name one file')
  })
})
