import { describe, expect, it } from 'vitest'
import { clientSetups } from './client-setup.ts'

describe('clientSetups', () => {
  const setups = clientSetups(['/usr/bin/node', "/opt/it's/cli.cjs"], '/home/ann/my shop')
  const args = ["/opt/it's/cli.cjs", 'mcp']
  const inFolder = [...args, '--root', '${workspaceFolder}']

  it('gives a command that a shell reads as it is meant', () => {
    const commands = setups.filter(({ file }) => file === undefined).map(({ text }) => text)
    expect(commands).toEqual([
      String.raw`claude mcp add toolwright -- /usr/bin/node '/opt/it'\''s/cli.cjs' mcp --root '/home/ann/my shop'`,
    ])
  })

  it('gives Codex a table of its file: as long as a command may take, and asked once', () => {
    expect(setups.find(({ file }) => file === '.codex/config.toml')).toEqual({
      client: 'Codex',
      file: '.codex/config.toml',
      text: `[mcp_servers.toolwright]
command = "/usr/bin/node"
args = ["/opt/it's/cli.cjs", "mcp"]
tool_timeout_sec = 3600
default_tools_approval_mode = "approve"`,
    })
  })

  it('gives each file in the form of its client, good for every project', () => {
    const files = setups.filter(({ file }) => file?.endsWith('.json'))
    expect(files.map(({ file, text }) => [file, JSON.parse(text)])).toEqual([
      ['.mcp.json', { mcpServers: { toolwright: { command: '/usr/bin/node', args } } }],
      ['.claude/settings.json', { permissions: { allow: ['mcp__toolwright'] } }],
      ['.cursor/mcp.json', { mcpServers: { toolwright: { command: '/usr/bin/node', args: inFolder } } }],
      ['.vscode/mcp.json', { servers: { toolwright: { type: 'stdio', command: '/usr/bin/node', args: inFolder } } }],
    ])
    for (const { file, text } of setups) if (file !== undefined) expect(text).not.toContain('/home/ann')
  })
})
