import { createHash } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakePerson } from '../../src/testing/fakes.ts'
import { projectConfig } from '../../src/machine/state/config-file.ts'
import { pinTrust } from '../../src/machine/state/trust.ts'
import { EXAMPLE_FILES, SECRET_FILES } from '../../src/kernel/secret-files.ts'
import type { Toolkit, ToolkitOptions } from '../../src/toolkit.ts'
import { makeWorld, type World } from './world.ts'

const CANARY = 'hunter2_canary'
/** One name for each glob of the list. */
const NAMES = SECRET_FILES.map(glob => glob.replaceAll('*', '.x'))

function worldWith(files: Readonly<Record<string, string>> = {}): World {
  const world = makeWorld()
  const all = { '.env': `${CANARY}=1\n`, '.env.example': 'example=1\n', 'app.ts': 'export const app = 1\n', ...files }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(world.root, path)), { recursive: true })
    writeFileSync(join(world.root, path), text)
  }
  return world
}

const PATCH = `--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-${CANARY}=1\n+x=2\n`

/** Every tool that reads one file of its parameters. */
const READERS = [
  ['toolwright', 'read', { path: '.env' }],
  ['toolwright', 'grep', { pattern: 'hunter', path: '.env' }],
  ['toolwright', 'context', { path: '.env', line: 1 }],
  ['toolwright', 'edit', { path: '.env', edits: [{ old: '1', new: '2' }] }],
  ['toolwright', 'move', { from: '.env', to: 'plain.txt' }],
  ['sage', 'Read', { file: '.env' }],
  ['sage', 'Edit', { file: '.env', strategy: 'check', patch: PATCH }],
  ['toolwright', 'patch', { diff: PATCH }],
  ['cli-agent', 'read_file', { path: '.env' }],
  ['cli-agent', 'replace_string_in_file', { path: '.env', old_string: '1', new_string: '2' }],
  ['debug-assistant', 'read_file', { filePath: '.env' }],
  ['debug-assistant', 'get_code_context', { filePath: '.env', line: 1 }],
  ['superconnect', 'readFile', { path: '.env' }],
] as const

const WRITE = { permissions: ['fs:write'] }

async function outcomeOf(kit: Toolkit, contract: string, tool: string, input: object) {
  return (await kit.run(tool, input, { contract })).outcome
}

const read = async (world: World, path: string, options: Omit<ToolkitOptions, 'root' | 'env'> = {}) =>
  (await (await world.open(options)).run('read', { path })).outcome

const OPEN = { ok: true, data: { content: expect.stringContaining(CANARY) } }
const REFUSED = {
  ok: false,
  error: {
    code: 'rejected',
    message: expect.stringContaining('read .env: files of this name hold secrets'),
    hint: expect.stringContaining("--allow 'fs:read:.env'"),
    details: { permission: 'fs:read:.env' },
  },
}

describe('a read of a file that holds secrets', () => {
  it.each(READERS)('by %s %s asks, and the refusal names the permission', async (contract, tool, input) => {
    await using world = worldWith()
    const kit = await world.open(WRITE)
    const outcome = await outcomeOf(kit, contract, tool, input)
    expect(outcome).toMatchObject(REFUSED)
    expect(JSON.stringify(outcome)).not.toContain(CANARY)
  })

  it.each(READERS)('by %s %s is not asked about with the permission', async (contract, tool, input) => {
    await using world = worldWith()
    const kit = await world.open({ permissions: ['fs:write', 'fs:read:.env'] })
    const { ok, ...rest } = await outcomeOf(kit, contract, tool, input)
    // What it then makes of a file that is no code is its own affair.
    expect(ok || !JSON.stringify(rest).includes('hold secrets')).toBe(true)
  })

  it('asks for each name of the list, and for no example', async () => {
    await using world = worldWith(
      Object.fromEntries([...NAMES, ...EXAMPLE_FILES].map(name => [`in/${name}`, `${CANARY}\n`])),
    )
    const person = fakePerson('no')
    const kit = await world.open({ approve: person })
    for (const name of NAMES)
      expect((await kit.run('read', { path: `in/${name}` })).outcome).toMatchObject({ ok: false })
    expect(person.asked).toHaveLength(NAMES.length)
    for (const name of EXAMPLE_FILES)
      expect((await kit.run('read', { path: `in/${name}` })).outcome).toMatchObject(OPEN)
    expect(person.asked).toHaveLength(NAMES.length)
  })

  it('is allowed by a yes for this call, and an always remembers this file alone', async () => {
    await using world = worldWith({ 'certs/a.pem': CANARY, 'certs/b.pem': CANARY })
    const person = fakePerson('yes', 'always', 'no')
    const kit = await world.open({ approve: person })
    const codes: boolean[] = []
    for (const path of ['.env', 'certs/a.pem', 'certs/a.pem', 'certs/b.pem', '.env'])
      codes.push((await kit.run('read', { path })).outcome.ok)
    expect(codes).toEqual([true, true, true, false, false])
    expect(person.asked[0]?.card.why).toContain('.env: files of this name hold secrets')
    expect(person.asked[1]?.card.proposal).toContain('read certs/a.pem')
  })

  it('asks in another case, and through a link that leads to it', async () => {
    await using world = worldWith({ '.ENV': CANARY, 'deep/Server.PEM': CANARY })
    symlinkSync('.env', join(world.root, 'plain.txt'))
    mkdirSync(join(world.root, '.ssh'))
    writeFileSync(join(world.root, '.ssh/config'), CANARY)
    symlinkSync('.ssh', join(world.root, 'open'))
    for (const path of ['.ENV', 'deep/Server.PEM', 'open/config'])
      expect(await read(world, path)).toMatchObject({ ok: false, error: { code: 'rejected' } })
    expect(await read(world, 'plain.txt')).toMatchObject({
      ok: false,
      error: { code: 'rejected', details: { permission: 'fs:read:.env' } },
    })
    expect(await read(world, 'plain.txt', { permissions: ['fs:read:.env'] })).toMatchObject(OPEN)
    // A directory is moved as a whole, and what is in it has another name then.
    const kit = await world.open(WRITE)
    expect((await kit.run('move', { from: '.ssh', to: 'other' })).outcome).toMatchObject({ ok: false })
  })
})

describe('what opens them', () => {
  const config = (value: object) => JSON.stringify(value)
  const rule = (path: string, verdict: string) => ({ policy: { rules: [{ action: 'read', path, verdict }] } })

  it.each([
    [{ permissions: ['fs:read:.env'] }],
    [{ permissions: ['fs:read:**/.env'] }],
    [{ permissions: ['fs:read'] }],
    [rule('.env', 'allow')],
  ])("is one line of the user's configuration: %j", async line => {
    await using world = worldWith()
    world.configure(config(line))
    expect(await read(world, '.env')).toMatchObject(OPEN)
  })

  it('is a permission of the session', async () => {
    await using world = worldWith()
    expect(await read(world, '.env', { permissions: ['fs:read:.env'] })).toMatchObject(OPEN)
    expect(await read(world, '.env', { permissions: ['fs:read:.env*'], commands: [{ deny: ['rm'] }] })).toMatchObject(
      OPEN,
    )
    expect(await read(world, '.env', { permissions: ['fs:read:src/**'] })).toMatchObject(REFUSED)
    expect(await read(world, '.env', { permissions: ['fs:read:.ENV'] })).toMatchObject(REFUSED)
  })

  it('is no default, and no file of a repository, trusted or not', async () => {
    await using world = worldWith({ 'own.secret': CANARY })
    world.configure(config({ policy: { defaults: { read: 'allow' } } }))
    expect(await read(world, '.env')).toMatchObject(REFUSED)
    world.configure(config(rule('*.secret', 'ask')))
    expect(await read(world, 'own.secret')).toMatchObject({ ok: false, error: { code: 'rejected' } })
    world.configure(config({ policy: { defaults: { read: 'ask' } } }))
    expect(await read(world, 'own.secret')).toMatchObject({ ok: false, error: { code: 'rejected' } })
    const project = { permissions: ['fs:read', 'fs:read:.env'], ...rule('.env', 'allow') }
    writeFileSync(join(world.root, 'toolwright.json'), config(project))
    expect(await read(world, '.env')).toMatchObject({ ok: false, error: { code: 'rejected' } })
    const found = projectConfig(world.root)
    const who = { by: 'me', at: new Date().toISOString() }
    pinTrust(world.env['TOOLWRIGHT_CONFIG_HOME'] ?? '', found?.path ?? '', found?.hash ?? '', who)
    expect(await read(world, 'own.secret')).toMatchObject(OPEN)
    expect(await read(world, '.env')).toMatchObject({ ok: false, error: { code: 'rejected' } })
  })
})

describe('a walk', () => {
  const FILES = {
    'certs/a.pem': `${CANARY}\n`,
    'docs/.env.local': `${CANARY}\n`,
    '.aws/keys.ts': `export const ${CANARY} = 1\n`,
    'app.ts': "export * from './.aws/keys.ts'\n",
  }
  const data = async (kit: Toolkit, tool: string, input: object, contract = 'toolwright') => {
    const { outcome } = await kit.run(tool, input, { contract })
    if (!outcome.ok) throw outcome.error
    return JSON.stringify(outcome.data)
  }
  const CONTENTS = [
    ['grep', { pattern: 'hunter' }, 'toolwright'],
    ['grep', { pattern: 'hunter', path: 'docs' }, 'toolwright'],
    ['grep', { pattern: 'h.nter', regex: true, only: 'counts' }, 'toolwright'],
    ['grep', { pattern: 'hunter', globs: ['.env*'], ignoreCase: true }, 'toolwright'],
    ['grep_search', { pattern: 'hunter' }, 'cli-agent'],
    ['index', { by: 'exports', value: CANARY }, 'toolwright'],
    ['index', { by: 'symbol', value: CANARY }, 'toolwright'],
    ['queryIndex', { query: { type: 'exports', value: CANARY } }, 'superconnect'],
    ['read', { path: 'app.ts' }, 'toolwright'],
  ] as const

  it.each(CONTENTS)('by %s %j shows nothing of their contents', async (tool, input, contract) => {
    await using world = worldWith(FILES)
    const closed = await data(await world.open(), tool, input, contract)
    expect(closed.replaceAll(JSON.stringify(CANARY), '')).not.toMatch(/hunter2|keys\.ts"|\.pem|\.env/)
  })

  it('finds them where all are opened, and only some where some are', async () => {
    await using world = worldWith(FILES)
    const found = async (permissions: string[]) => {
      const kit = await world.open({ permissions })
      const { matches, filesSearched } = JSON.parse(await data(kit, 'grep', { pattern: 'hunter' }))
      const { files } = JSON.parse(await data(kit, 'index', { by: 'exports', value: CANARY }))
      const names = (some: readonly { readonly path: string }[]) => some.map(({ path }) => path)
      return { matches: names(matches), filesSearched, index: names(files) }
    }
    expect(await found([])).toEqual({ matches: [], filesSearched: 2, index: [] })
    expect(await found(['fs:read:certs/**', 'fs:read:.env'])).toEqual({
      matches: ['.env', 'certs/a.pem'],
      filesSearched: 4,
      index: [],
    })
    expect(await found(['fs:read'])).toEqual({
      matches: ['.aws/keys.ts', '.env', 'certs/a.pem', 'docs/.env.local'],
      filesSearched: 6,
      index: ['.aws/keys.ts', 'app.ts'],
    })
  })

  it.each([
    ['list', { path: '.', all: true }, 'toolwright'],
    ['list', { path: '.', depth: 5 }, 'toolwright'],
    ['find', { glob: '**' }, 'toolwright'],
    ['find', { glob: '.env*' }, 'toolwright'],
    ['list_dir', { path: '.' }, 'cli-agent'],
    ['file_search', { pattern: '**/.env*' }, 'cli-agent'],
    ['listFiles', { directory: '.' }, 'superconnect'],
  ] as const)('by %s %j shows their names', async (tool, input, contract) => {
    await using world = worldWith(FILES)
    expect(await data(await world.open(), tool, input, contract)).toMatch(/\.env\b(?!\.)/)
  })

  it('that was approved does not cover them', async () => {
    await using world = worldWith({ 'plain.txt': 'hunter\n' })
    world.configure(JSON.stringify({ policy: { defaults: { read: 'ask' } } }))
    const kit = await world.open({ approve: fakePerson('yes') })
    const { matches } = JSON.parse(await data(kit, 'grep', { pattern: 'hunter' }))
    expect(matches).toMatchObject([{ path: 'plain.txt' }])
    expect(await data(kit, 'read', { path: '.env' })).toContain(CANARY)
    expect(await data(kit, 'grep', { pattern: 'hunter', path: '.env' })).toContain(CANARY)
  })

  it('over changes shows no diff of what was there', async () => {
    await using world = worldWith()
    const kit = await world.open(WRITE)
    const expected = createHash('sha256').update(`${CANARY}=1\n`).digest('hex')
    const change = { path: '.env', content: 'x=2\n', expect: expected }
    const { outcome } = await kit.run('write', change, { dryRun: true })
    expect(JSON.stringify(outcome)).not.toContain(CANARY)
    expect(JSON.stringify(outcome)).toContain('reading it is not allowed')
  })
})

describe('a command', () => {
  it('that may run sees them as before', async () => {
    await using world = worldWith()
    const kit = await world.open({ permissions: ['exec'] })
    const { outcome } = await kit.run('run', { command: 'cat .env; ls -a' })
    expect(outcome).toMatchObject({ ok: true, data: { stdout: expect.stringContaining(`${CANARY}=1\n`) } })
  })
})
