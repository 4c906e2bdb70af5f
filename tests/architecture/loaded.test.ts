import { beforeAll, describe, expect, it } from 'vitest'
import { loadedFiles } from '../../scripts/house/loaded-files.ts'

const notNeeded = ['src/knowledge/', 'src/machine/web/', 'src/machine/process/', 'src/guards/shell/']

describe('toolwright call read', () => {
  let loaded: readonly string[]
  beforeAll(async () => {
    loaded = (await loadedFiles('read', 'command')).loaded
  })

  it('loads fewer than 150 files', () => {
    expect(loaded.length).toBeGreaterThan(0)
    expect(loaded.length).toBeLessThan(150)
  })

  it.each(notNeeded)('loads nothing below %s', folder => {
    expect(loaded.filter(file => file.startsWith(folder))).toEqual([])
  })
})

describe('a read in a session', () => {
  it('loads no engine of the web, of processes, of searching or of repositories elsewhere', async () => {
    const { loaded } = await loadedFiles('read', 'library')
    const engines = /^src\/(machine\/(web|process)|knowledge\/(resident|github|search|tree))\//
    expect(loaded).toContain('src/toolkit.ts')
    expect(loaded.filter(file => engines.test(file))).toEqual([])
  })
})
