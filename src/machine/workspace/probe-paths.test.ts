import { mkdtempSync, openSync, readdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { probePaths } from './probe-paths.ts'
import { linuxSys } from './sys.ts'

const missing = () => {
  throw new Error("ENOENT: no such file or directory, readlink '/proc/self/fd/20'")
}

describe('probePaths', () => {
  it('finds nothing wrong where descriptors hold, and leaves nothing behind', () => {
    // Other tests probe in the shared one.
    const own = mkdtempSync(join(tmpdir(), 'toolwright-paths-'))
    const before = readdirSync('/proc/self/fd')
    expect(probePaths(own)).toBeUndefined()
    expect(readdirSync('/proc/self/fd')).toEqual(before)
    expect(readdirSync(own)).toEqual([])
    rmdirSync(own)
  })

  it('says what is wrong without /proc', () => {
    expect(probePaths(tmpdir(), { ...linuxSys, whereIs: missing })).toMatch(
      /do not work here \(ENOENT.*need Linux with \/proc/,
    )
  })

  it('says so where a link is followed', () => {
    const following = {
      ...linuxSys,
      openDirectory: (dir: number, name: unknown) => openSync(join(linuxSys.whereIs(dir), String(name)), 'r'),
    }
    expect(probePaths(tmpdir(), following)).toBe('a link is followed that must not be')
  })
})
