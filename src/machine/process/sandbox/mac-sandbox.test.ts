import { describe, expect, it } from 'vitest'
import { macProfile } from './mac-sandbox.ts'
import type { SandboxSpec } from './types.ts'

const spec: SandboxSpec = {
  root: '/Users/a/project',
  argv: ['make'],
  cwd: '.',
  env: {},
  tree: { kind: 'direct' },
  readOnly: ['.git/hooks'],
  hidden: ['.env'],
  network: undefined,
  limits: {
    wallMs: 1,
    cpuSeconds: 1,
    memoryBytes: 1,
    processes: 1,
    fileBytes: 1,
    outputBytes: 1,
    tmpBytes: 1,
    writtenBytes: 1,
  },
  stdin: 'none',
}

describe('the rules for sandbox-exec', () => {
  const lines = macProfile(spec, '/private/tmp/t', []).split('\n')

  it('refuse what they do not name', () => {
    expect(lines.slice(0, 2)).toEqual(['(version 1)', '(deny default)'])
    expect(lines.join()).not.toMatch(/allow network|"\/Users\/a"/)
  })

  it('name what stays read-only and hidden after what may be written, since the last rule decides', () => {
    const at = (text: string) => lines.findIndex(line => line.includes(text))
    const write = lines.lastIndexOf('(allow file-write* (subpath "/Users/a/project"))')
    expect(write).toBeGreaterThan(0)
    expect(at('(deny file-write* (subpath "/Users/a/project/.git/hooks"))')).toBeGreaterThan(write)
    expect(at('(deny file-read* file-write* (subpath "/Users/a/project/.env")')).toBeGreaterThan(write)
  })

  it('allow the one socket of our proxy, and no write to a read-only tree', () => {
    const text = macProfile(
      { ...spec, tree: { kind: 'read-only' }, network: { socket: '/tmp/p.sock' } },
      '/private/tmp/t',
      [],
    )
    expect(text).toContain('(allow network-outbound (remote unix-socket (path-literal "/tmp/p.sock")))')
    expect(text).not.toContain('(allow file-write* (subpath "/Users/a/project"))')
  })

  it('quote what would end a string', () => {
    expect(macProfile({ ...spec, root: '/Users/a/x") (allow default) ("' }, '/t', [])).toContain(
      'x\\") (allow default) (\\"',
    )
  })
})
