import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listTrust, pinTrust, trustOf, unpin } from './trust.ts'

let base = ''
let config = ''
let file = ''
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-trust-')))
  config = join(base, 'config')
  mkdirSync(join(base, 'project'))
  file = join(base, 'project', 'toolwright.json')
  writeFileSync(file, '{}')
})
afterEach(() => rmSync(base, { recursive: true }))

const [one, two] = ['1'.repeat(64), '2'.repeat(64)]
const who = { by: 'ada', at: '2026-11-01T10:00:00.000Z' }

describe('trust', () => {
  it('is for one content of one file', () => {
    expect(trustOf(config, file, one)).toBe('unknown')
    pinTrust(config, file, one, who)
    expect(trustOf(config, file, one)).toBe('trusted')
    expect(trustOf(config, file, two)).toBe('changed')
    expect(trustOf(config, join(base, 'other', 'toolwright.json'), one)).toBe('unknown')
    pinTrust(config, file, two, who)
    expect(trustOf(config, file, one)).toBe('changed')
    expect(listTrust(config)).toEqual([{ file, hash: two, ...who }])
    expect(statSync(join(config, 'trust.json')).mode & 0o777).toBe(0o600)
  })

  it('is taken back', () => {
    pinTrust(config, file, one, who)
    expect(unpin(config, file)).toBe(true)
    expect(unpin(config, file)).toBe(false)
    expect(trustOf(config, file, one)).toBe('unknown')
  })

  it('does not depend on how the file is named', () => {
    symlinkSync(join(base, 'project'), join(base, 'link'))
    pinTrust(config, join(base, 'link', 'toolwright.json'), one, who)
    expect(trustOf(config, file, one)).toBe('trusted')
  })

  it('refuses a damaged list instead of taking it for an empty one', () => {
    mkdirSync(config)
    writeFileSync(join(config, 'trust.json'), '{"version":1,"pins":[{"file":"/a"}]}')
    expect(() => trustOf(config, file, one)).toThrow(expect.objectContaining({ code: 'io' }))
    expect(() => pinTrust(config, file, one, who)).toThrow(expect.objectContaining({ code: 'io' }))
  })

  it('is only given to a hash', () => {
    expect(() => pinTrust(config, file, 'abc', who)).toThrow(/sha256/)
  })
})
