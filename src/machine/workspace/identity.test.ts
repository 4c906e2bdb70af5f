import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { versionOf } from './identity.ts'

describe('versionOf', () => {
  it('is not given for a file that changed a moment ago, and differs after a change that hides its time', () => {
    const directory = mkdtempSync(join(tmpdir(), 'toolwright-version-'))
    try {
      const path = join(directory, 'a')
      const look = () => statSync(path, { bigint: true })
      writeFileSync(path, 'one')
      const before = look()
      const later = Date.now() + 1000
      expect(versionOf(before, Number(before.ctimeMs))).toBeUndefined()
      expect(versionOf(before, later)).toBe(versionOf(look(), later))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
      writeFileSync(path, 'two')
      utimesSync(path, Number(before.atimeMs) / 1000, Number(before.mtimeMs) / 1000)
      expect(versionOf(look(), later)).not.toBe(versionOf(before, later))
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})
