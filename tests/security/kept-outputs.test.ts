import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Toolkit } from '../../src/index.ts'
import type { Vault } from '../../src/kernel/secret.ts'
import { createMcpServer } from '../../src/mcp.ts'
import { fakePerson, fakeSecrets, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { fakeWeb } from '../../src/testing/fake-web.ts'
import { runIn } from '../cli/rig.ts'
import { connectTo } from '../mcp/connect.ts'
import { repository } from '../process/git-world.ts'

const MARK = 'Hq3vTz81kWmP'
const TEXT = `first\n${Array.from({ length: 900 }, (_, at) => `line ${at} of the file\n`).join('')}mark ${MARK}\n`
const CONFIG = { limits: { answerBytes: 2000 } }
const ALL = ['fs:read', 'fs:write', 'exec', 'net']

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = repository({ 'secrets/key.txt': TEXT })
  configure({})
})
afterEach(() => workspace.remove())

/** Writes the user's configuration, which every later session and command has. */
function configure(more: object): void {
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ ...CONFIG, ...more }))
}

const deny = (action: string, target: object) => ({
  policy: { rules: [{ action, ...target, verdict: 'deny' }] },
})

const POLICIES = {
  'the path': deny('read', { path: 'secrets/key.txt' }),
  'the directory': deny('read', { path: 'secrets/**' }),
  'every file of that kind': deny('read', { path: '**/*.txt' }),
  'the command': deny('exec', { command: 'cat' }),
  'the host': deny('net', { host: 'a.test' }),
} as const

type PolicyName = keyof typeof POLICIES

const PATHS: readonly PolicyName[] = ['the path', 'the directory', 'every file of that kind']

/** What a maker leaves behind: a reference, and the id of its call. */
interface Stored {
  readonly ref: string
  readonly id: string
}

interface Maker {
  readonly name: string
  readonly make: (kit: Toolkit) => Promise<Stored>
  /** Denials that close the text. */
  readonly closedBy: readonly PolicyName[]
  /** The log shows all of the text. */
  readonly isLogged?: true
}

async function cut(kit: Toolkit, tool: string, input: object, contract = 'toolwright'): Promise<Stored> {
  const { outcome } = await kit.run(tool, input, { contract })
  expect(outcome).toMatchObject({ ok: true, meta: { ref: expect.stringMatching(/^ref:/) } })
  return { ref: outcome.meta.ref ?? '', id: outcome.meta.id }
}

async function background(kit: Toolkit, command: string): Promise<Stored> {
  const { outcome } = await kit.run('run', { command, background: true })
  const { handle } = Object(outcome.ok ? outcome.data : outcome.error)
  for (let tries = 0; tries < 100; tries++) {
    await new Promise(resolve => setTimeout(resolve, 100))
    const read = await kit.run('run', { handle, action: 'read' })
    if (read.outcome.meta.ref !== undefined) return { ref: read.outcome.meta.ref, id: read.outcome.meta.id }
  }
  throw new Error('the background command printed nothing')
}

const line =
  (command: string): Maker['make'] =>
  kit =>
    cut(kit, 'run', { command })
const MAKERS: readonly Maker[] = [
  { name: 'read', make: kit => cut(kit, 'read', { path: 'secrets/key.txt' }), closedBy: PATHS },
  {
    name: 'grep of a directory',
    make: kit => cut(kit, 'grep', { pattern: '[a-z]', regex: true, path: 'secrets', limit: 2000 }),
    closedBy: PATHS,
  },
  {
    name: 'grep of all',
    make: kit => cut(kit, 'grep', { pattern: '[a-z]', regex: true, limit: 2000 }),
    closedBy: PATHS,
  },
  { name: 'cat', make: line('cat secrets/key.txt'), closedBy: [...PATHS, 'the command'] },
  { name: 'a line that hides the name', make: line('cat s*/k*'), closedBy: [...PATHS, 'the command'] },
  { name: 'another program', make: line(`awk 1 secrets/key.txt`), closedBy: PATHS },
  {
    name: 'a background command',
    make: kit => background(kit, 'cat secrets/key.txt'),
    closedBy: [...PATHS, 'the command'],
  },
  {
    name: 'a reading of a reference',
    async make(kit) {
      const { ref } = await cut(kit, 'run', { command: 'cat secrets/key.txt' })
      return cut(kit, 'grep', { pattern: '[a-z]', regex: true, path: ref, limit: 2000 })
    },
    closedBy: [...PATHS, 'the command'],
  },
  { name: 'fetch', make: kit => cut(kit, 'fetch', { url: 'http://a.test/x' }), closedBy: ['the host'] },
  {
    name: 'an answer in the journal',
    async make(kit) {
      const { outcome } = await kit.run('run', { command: 'cat secrets/key.txt' })
      const { bytes } = await runIn(workspace, ['log', '--json'], {})
      const records = bytes.toString().trim().split('\n')
      const { printedRef } = records
        .map(record => JSON.parse(record))
        .find(({ id, type }) => id === outcome.meta.id && type === 'call')
      return { ref: `ref:${printedRef.ref}`, id: outcome.meta.id }
    },
    closedBy: [...PATHS, 'the command'],
    isLogged: true,
  },
  {
    name: 'a whole question',
    async make(kit) {
      let ref = ''
      const asking = kit.session({
        permissions: ['fs:read'],
        approve({ card }) {
          ref = card.whole?.() ?? ''
          return { answer: 'no', by: 'a person' }
        },
      })
      const edits = [{ old: `mark ${MARK}`, new: 'mark' }]
      const { outcome } = await asking.run('edit', { path: 'secrets/key.txt', edits })
      expect(outcome).toMatchObject({ error: { code: 'rejected' } })
      return { ref, id: outcome.meta.id }
    },
    closedBy: PATHS,
  },
]

/** Returns all that a reader shows. */
type Reader = (stored: Stored) => Promise<string>

const shownBy =
  (tool: string, inputOf: (ref: string) => object, contract = 'toolwright'): Reader =>
  async ({ ref }) => {
    const kit = await workspace.open({ permissions: ALL })
    const { outcome } = await kit.run(tool, inputOf(ref), { contract })
    return JSON.stringify([outcome.ok ? outcome.data : outcome.error])
  }

const ofCli =
  (argsOf: (stored: Stored) => readonly string[]): Reader =>
  async stored => {
    const { bytes, err } = await runIn(workspace, argsOf(stored), {})
    return `${bytes.toString()}${err}`
  }

const FROM_END = { pattern: 'mark \\w{12}', regex: true, onlyMatching: true }
const READERS: Readonly<Record<string, Reader>> = {
  grep: shownBy('grep', path => ({ ...FROM_END, path })),
  'the read of another contract': async ({ ref }) => {
    const kit = await workspace.open({ permissions: ALL })
    return JSON.stringify(await kit.call('Read', { file: ref }, { contract: 'sage' }))
  },
  'the server': async ({ ref }) => {
    await using server = await connectTo(await createMcpServer(await workspace.open({ permissions: ALL })), {
      name: 'claude-code',
      version: '2.1.325',
    })
    return (await server.call('grep', { ...FROM_END, path: ref })).text
  },
  'the command line': ofCli(({ ref }) => [
    'call',
    'grep',
    JSON.stringify({ ...FROM_END, path: ref }),
    '--allow',
    'fs:read',
  ]),
}
const LOG_READERS: Readonly<Record<string, Reader>> = {
  'log show': ofCli(({ id }) => ['log', 'show', id]),
  'log show --json': ofCli(({ id }) => ['log', 'show', id, '--json']),
  'log --json': ofCli(() => ['log', '--json']),
}

/** Returns the names of the readers that show the text. */
async function showing(readers: Readonly<Record<string, Reader>>, stored: Stored): Promise<readonly string[]> {
  const names: string[] = []
  for (const [name, read] of Object.entries(readers)) if ((await read(stored)).includes(MARK)) names.push(name)
  return names
}

const web = () =>
  fakeWeb({
    dns: { 'a.test': ['93.184.216.34'] },
    hosts: ['a.test'],
    answer: (_url, _request, response) => void response.setHeader('content-type', 'text/plain').end(TEXT),
  })

async function store({ make }: Maker): Promise<Stored> {
  await using fake = await web()
  return await make(await workspace.open({ permissions: ALL, network: fake.network, approve: fakePerson('yes') }))
}

describe.each(MAKERS.map(maker => [maker.name, maker] as const))('what %s stored', (_name, maker) => {
  it('is read by other sessions while nothing changes, and unasked', async () => {
    const stored = await store(maker)
    const readers = { ...READERS, ...(maker.isLogged && LOG_READERS) }
    expect(await showing(readers, stored)).toEqual(Object.keys(readers))
  })

  it.each(maker.closedBy)('is closed once a rule denies %s', async policy => {
    const stored = await store(maker)
    configure(POLICIES[policy])
    expect(await showing({ ...READERS, ...LOG_READERS }, stored)).toEqual([])
  })

  it('shows no secret that was added since', async () => {
    const stored = await store(maker)
    const vault: Vault = { ...fakeSecrets({ KEY: MARK }), keys: async () => ['KEY'] }
    const kit = await workspace.open({ permissions: [...ALL, 'secret:*'], secrets: vault })
    const { outcome } = await kit.run('grep', { ...FROM_END, path: stored.ref })
    expect(outcome).toMatchObject({ ok: true })
    expect(JSON.stringify(outcome)).not.toContain(MARK)
  })
})

describe('a text that was stored', () => {
  const readAgain = async (kit: Pick<Toolkit, 'run'>, ref: string) =>
    (await kit.run('grep', { ...FROM_END, path: ref })).outcome

  it('by an older version, asks', async () => {
    const kit = await workspace.open({ permissions: ALL })
    const ref = `ref:${kit.workspace.payloads.put(TEXT)}`
    expect(await readAgain(kit, ref)).toMatchObject({
      error: { code: 'rejected', message: expect.stringContaining('run its call again') },
    })
    const person = fakePerson('yes')
    expect(await readAgain(kit.session({ approve: person }), ref)).toMatchObject({ ok: true })
    expect(person.asked).toHaveLength(1)
  })

  it('by an approved call, is read again by its session unasked, and by another one asks', async () => {
    configure({ policy: { rules: [{ action: 'read', path: 'secrets/**', verdict: 'ask' }] } })
    const person = fakePerson('yes')
    const kit = await workspace.open({ approve: person })
    const { ref } = await cut(kit, 'read', { path: 'secrets/key.txt' })
    expect(await readAgain(kit, ref)).toMatchObject({ ok: true })
    expect(person.asked).toHaveLength(1)
    expect(await readAgain(kit.session({ approve: fakePerson('no') }), ref)).toMatchObject({
      error: { code: 'rejected' },
    })
  })

  it('with the first line of another, is judged by the call that stored it', async () => {
    const kit = await workspace.open({ permissions: ALL })
    const { ref } = await cut(kit, 'run', { command: 'echo hello; yes 1 | head -n 2000' })
    const [header = ''] = (kit.workspace.payloads.get(ref.slice('ref:'.length))?.toString() ?? '').split('\n')
    expect(header).toContain('echo hello')
    workspace.write('secrets/key.txt', `${header}\n${TEXT}`)
    const forged = await cut(kit, 'run', { command: 'cat secrets/key.txt' })
    configure(POLICIES['the path'])
    expect(JSON.stringify(await readAgain(await workspace.open({ permissions: ALL }), forged.ref))).not.toContain(MARK)
  })

  it('is closed by a rule of one session alone, and open to the others', async () => {
    const kit = await workspace.open({ permissions: ALL })
    const { ref } = await cut(kit, 'run', { command: 'cat secrets/key.txt' })
    const closed = kit.session({ permissions: ALL, denials: ['fs:read:secrets/key.txt'] })
    expect(await readAgain(closed, ref)).toMatchObject({ error: { code: 'denied' } })
    expect(await readAgain(kit, ref)).toMatchObject({ ok: true })
  })

  it('is not told as the last command once its command is denied', async () => {
    const kit = await workspace.open({ contract: 'cli-agent', permissions: ALL })
    const command = `head -c 3 secrets/key.txt; echo ${MARK}`
    await kit.call('run_in_terminal', { command })
    expect(JSON.stringify(await kit.call('terminal_last_command', {}))).toContain(MARK)
    await runIn(workspace, ['policy', 'add', '--deny', 'fs:read:secrets/**'], {})
    expect(JSON.stringify(await kit.call('terminal_last_command', {}))).not.toContain(MARK)
  })
})
