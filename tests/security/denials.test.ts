// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it as always } from 'vitest'
import { runIn } from '../cli/rig.ts'
import { connect } from '../mcp/connect.ts'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

const FILES = {
  'src/a.ts': 'export const a = "SEEN"\n',
  'lib/b.ts': 'export const b = 1\n',
  '.env': 'TOKEN=SEEN\n',
  Makefile: 'push:\n\ttouch started\n',
  'package.json': '{"scripts":{"x":"touch started"}}\n',
}

/** A rule, and a call that everything else allows: without the rule it leaves a mark, with it none. */
interface Row {
  readonly name: string
  readonly deny: string
  readonly tool: string
  readonly input: object
}

const create = (path: string): object => ({ path, content: 'x\n', expect: 'absent' })
const run = (command: string): object => ({ command })

const ROWS: readonly Row[] = [
  { name: 'a file that is read', deny: 'fs:read:src/**', tool: 'read', input: { path: 'src/a.ts' } },
  { name: 'a file that a search finds', deny: 'fs:read:src/**', tool: 'grep', input: { pattern: 'const' } },
  { name: 'a secret that --allow opens', deny: 'fs:read:.env', tool: 'read', input: { path: '.env' } },
  { name: 'reading altogether', deny: 'fs:read', tool: 'read', input: { path: 'src/a.ts' } },
  { name: 'a new file', deny: 'fs:create:out/**', tool: 'write', input: create('out/new.txt') },
  { name: 'a new file by a rule about writing', deny: 'fs:write:out/**', tool: 'write', input: create('out/new.txt') },
  { name: 'writing altogether', deny: 'fs:write', tool: 'write', input: create('out/new.txt') },
  { name: 'another case', deny: 'fs:write:OUT/**', tool: 'write', input: create('out/new.txt') },
  { name: 'a move into it', deny: 'fs:create:out/**', tool: 'move', input: { from: 'lib/b.ts', to: 'out/new.txt' } },
  { name: 'a file of a command', deny: 'fs:write:out/**', tool: 'run', input: run('mkdir out; echo x > out/new.txt') },
  { name: 'a file read by a command', deny: 'fs:read:src/**', tool: 'run', input: run('cat src/a.ts') },
  { name: 'a command', deny: 'exec:touch', tool: 'run', input: run('touch started') },
  { name: 'a command behind others', deny: 'exec:touch', tool: 'run', input: run('echo a; env touch started') },
  { name: 'a command that make starts', deny: 'exec:touch', tool: 'run', input: run('make -s push') },
  { name: 'a command that a shell hides', deny: 'exec:touch', tool: 'run', input: run("sh -c 't=touch; $t started'") },
  { name: 'commands altogether', deny: 'exec', tool: 'run', input: run('touch started') },
]

const ALLOWED = ['exec', 'fs:read', 'fs:write', 'net', 'secret:*'].flatMap(each => ['--allow', each])

/** Makes the call on the command line, and returns whether it left a mark: in the answer or on the disk. */
async function hasEffect({ tool, input }: Row, denials: readonly string[]): Promise<boolean> {
  await using workspace = repository(FILES)
  const options = [...ALLOWED, '--yes', ...denials.flatMap(each => ['--deny', each])]
  const { bytes } = await runIn(workspace, ['call', tool, JSON.stringify(input), '--json', ...options], {})
  const isThere = (path: string): boolean => existsSync(join(workspace.path, path))
  return bytes.includes('SEEN') || isThere('out/new.txt') || isThere('started')
}

describe('a deny rule of the command line wins over every allow and --yes', () => {
  it.each(ROWS.map(row => [row.name, row.deny, row] as const))('%s: %s', async (_name, deny, row) => {
    expect(await hasEffect(row, []), 'without the rule').toBe(true)
    expect(await hasEffect(row, [deny]), 'with the rule').toBe(false)
  })

  always.each(['git {push,pull}', 'fs:writ:src', 'exec:', 'net:not a host', 'fs:read:[', 'secret:', ''])(
    'stops the start if it is not understood: %j',
    async deny => {
      await using workspace = repository(FILES)
      for (const command of [['read', 'src/a.ts'], ['grep', 'SEEN'], ['mcp']]) {
        const { code, bytes, err } = await runIn(workspace, [...command, `--deny=${deny}`], {})
        expect([command, code, bytes.toString()]).toEqual([command, 2, ''])
        expect(err).toContain(`Deny rule '${deny}' is refused`)
      }
    },
  )

  always('holds for a client of the server', async () => {
    await using workspace = repository(FILES)
    await using client = await connect(workspace, { args: ['--allow', 'fs:write', '--deny', 'fs:create:out/**'] })
    const refused = await client.call('write', create('out/new.txt'))
    expect([refused.isError, existsSync(join(workspace.path, 'out/new.txt'))]).toEqual([true, false])
    const written = await client.call('write', create('other.txt'))
    expect([written.isError, readFileSync(join(workspace.path, 'other.txt'), 'utf8')]).toEqual([false, 'x\n'])
  })
})

describe('denials of the library', () => {
  always('hold in every session of the toolkit, and a session adds its own', async () => {
    await using workspace = repository(FILES)
    const kit = await workspace.open({ permissions: ['fs:write'], denials: ['fs:write:out/**'] })
    const other = kit.session({ permissions: ['fs:write'], denials: ['fs:write:lib/**'] })
    const only = kit.session({ permissions: ['fs:write'], permissionsOnly: true })
    const refused = async (session: typeof other, path: string): Promise<boolean> => {
      await session.run('write', create(path))
      return !existsSync(join(workspace.path, path))
    }
    expect(await refused(kit, 'out/1')).toBe(true)
    expect(await refused(other, 'out/2')).toBe(true)
    expect(await refused(only, 'out/3')).toBe(true)
    expect(await refused(other, 'lib/4')).toBe(true)
    expect(await refused(kit, 'lib/5')).toBe(false)
  })

  always('stop the opening if they are not understood', async () => {
    await using workspace = repository(FILES)
    await expect(workspace.open({ denials: ['push'] })).rejects.toThrow("Deny rule 'push' is refused")
  })
})
