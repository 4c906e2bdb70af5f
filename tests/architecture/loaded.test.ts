import { beforeAll, describe, expect, it } from 'vitest'
import { loadedFiles } from '../../scripts/house/loaded-files.ts'

const notNeeded = ['src/knowledge/', 'src/service/', 'src/machine/web/', 'src/machine/process/', 'src/guards/shell/']

describe('toolwright call read', () => {
  let loaded: readonly string[]
  beforeAll(async () => {
    loaded = (await loadedFiles('read', 'command')).loaded
  })

  it('loads fewer than 165 files', () => {
    expect(loaded.length).toBeGreaterThan(0)
    expect(loaded.length).toBeLessThan(165)
  })

  it.each(notNeeded)('loads nothing below %s', folder => {
    expect(loaded.filter(file => file.startsWith(folder))).toEqual([])
  })
})

describe('toolwright call read in a project with a configuration', () => {
  it.each([
    ['of files', { policy: { rules: [{ action: 'write', path: 'dist/**', verdict: 'deny' }] } }, 0],
    ['of commands', { policy: { rules: [{ action: 'exec', command: 'git push', verdict: 'deny' }] } }, 1],
  ])('loads the parser of command lines only for rules about them: %s', async (_, config, least) => {
    const { loaded } = await loadedFiles('read', 'command', config)
    expect(loaded).toContain('src/config/file.ts')
    const parser = loaded.filter(file => file.startsWith('src/guards/shell/'))
    expect(Math.min(parser.length, 1)).toBe(least)
  })
})

describe('a read in a session', () => {
  it('loads no engine of the web, of processes, of searching or of repositories elsewhere', async () => {
    const { loaded } = await loadedFiles('read', 'library')
    const engines = /^src\/(service|machine\/(web|process)|knowledge\/(answers|github|search|tree))\//
    expect(loaded).toContain('src/toolkit.ts')
    expect(loaded.filter(file => engines.test(file))).toEqual([])
  })
})

describe('a read over MCP', () => {
  it('loads no parser of command lines either, nor anything of the code', async () => {
    const { loaded } = await loadedFiles('read', 'mcp')
    const unused =
      /^src\/(guards\/shell|machine\/(web|process)|knowledge\/(answers|github|search|tree|model|index)|service)\//
    expect(loaded).toContain('src/surfaces/mcp/serve-stdio.ts')
    expect(loaded.filter(file => unused.test(file))).toEqual([])
  })
})

describe('a read by a tool of a document, with a time quota', () => {
  it('loads no engine of processes or of repositories elsewhere', async () => {
    const { loaded } = await loadedFiles('read', 'document')
    expect(loaded).toContain('src/contracts/sage/read.ts')
    expect(loaded.filter(file => /^src\/(machine\/process|knowledge\/github)\//.test(file))).toEqual([])
  })
})
