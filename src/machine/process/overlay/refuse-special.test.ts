import { chmodSync, lstatSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { permissionsOfChange } from './refuse-special.ts'

it('gives the permission bits of what may land, and refuses set-id bits, pipes, sockets and devices', () => {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-special-'))
  try {
    const file = join(directory, 'file')
    writeFileSync(file, '')
    chmodSync(file, 0o640)
    expect(permissionsOfChange('file', lstatSync(file))).toBe(0o640)
    for (const mode of [0o4755, 0o2755]) {
      chmodSync(file, mode)
      expect(() => permissionsOfChange('file', lstatSync(file))).toThrow('set-user-id or set-group-id bit')
    }
    // A group's own directory hands its group on to what is made in it.
    chmodSync(directory, 0o2750)
    expect(permissionsOfChange('.', lstatSync(directory))).toBe(0o750)
    symlinkSync('nowhere', join(directory, 'link'))
    expect(permissionsOfChange('link', lstatSync(join(directory, 'link')))).toBe(0o777)
    expect(() => permissionsOfChange('null', lstatSync('/dev/null'))).toThrow('a device')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
