import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeCacheDirectory } from './cache-directory.ts'

let base = ''
beforeEach(() => void (base = mkdtempSync(join(tmpdir(), 'toolwright-cache-'))))
afterEach(() => rmSync(base, { recursive: true }))

describe('a directory for what is kept for speed', () => {
  it('is made for this user alone, and left as it is where it is there', () => {
    const path = join(base, 'a/b')
    expect(makeCacheDirectory(path)).toBe(true)
    expect(statSync(path).mode & 0o777).toBe(0o700)
    writeFileSync(join(path, 'kept'), 'x')
    expect(makeCacheDirectory(path)).toBe(true)
    expect(readFileSync(join(path, 'kept'), 'utf8')).toBe('x')
  })

  it('takes the place of a file or of a link that leads nowhere', () => {
    const path = join(base, 'cache')
    writeFileSync(path, 'in the way')
    expect(makeCacheDirectory(path)).toBe(true)
    expect(statSync(path).isDirectory()).toBe(true)
    const link = join(base, 'link')
    symlinkSync(join(base, 'nowhere/at/all'), link)
    expect(makeCacheDirectory(link)).toBe(true)
    expect(statSync(link).isDirectory()).toBe(true)
  })

  it('is done without where it cannot be made, and nothing above it is touched', () => {
    mkdirSync(join(base, 'dir'))
    writeFileSync(join(base, 'dir/file'), 'of somebody')
    expect(makeCacheDirectory(join(base, 'dir/file/cache'))).toBe(false)
    expect(readFileSync(join(base, 'dir/file'), 'utf8')).toBe('of somebody')
  })
})
