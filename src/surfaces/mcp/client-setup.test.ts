import { describe, expect, it } from 'vitest'
import { clientSetups } from './client-setup.ts'

describe('clientSetups', () => {
  const setups = clientSetups(['/usr/bin/node', "/opt/it's/cli.cjs"], '/home/ann/my shop')
  const args = ["/opt/it's/cli.cjs", 'mcp']
  const inFolder = [...args, '--root', '${workspaceFolder}']

  it('gives commands that a shell reads as they are meant', () => {
    const commands = setups.filter(({ file }) => file === undefined).map(({ text }) => text)
    expect(commands).toEqual([
      String.raw`claude mcp add toolwright -- /usr/bin/node '/opt/it'\''s/cli.cjs' mcp --root '/home/ann/my shop'`,
      String.raw`codex mcp add toolwright -- /usr/bin/node '/opt/it'\''s/cli.cjs' mcp --root '/home/ann/my shop'`,
    ])
  })

  it('gives each file in the form of its client, good for every project', () => {
    const files = setups.filter(({ file }) => file !== undefined)
    expect(files.map(({ file, text }) => [file, JSON.parse(text)])).toEqual([
      ['.mcp.json', { mcpServers: { toolwright: { command: '/usr/bin/node', args } } }],
      ['.cursor/mcp.json', { mcpServers: { toolwright: { command: '/usr/bin/node', args: inFolder } } }],
      ['.vscode/mcp.json', { servers: { toolwright: { type: 'stdio', command: '/usr/bin/node', args: inFolder } } }],
    ])
    for (const { text } of files) expect(text).not.toContain('/home/ann')
  })
})
