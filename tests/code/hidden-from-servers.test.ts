// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { DEFAULTS } from '../../src/config/defaults.ts'
import { deadlineIn } from '../../src/knowledge/code/servers/deadline.ts'
import { openServers } from '../../src/knowledge/code/servers/open-servers.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import type { Outcome } from '../../src/kernel/outcome.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { openedCode } from './opened-code.ts'

const it = needs('bubblewrap')

const SECRETS = ['sk-very-secret-123', 'another-one'] as const
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    module: 'esnext',
    target: 'esnext',
    lib: ['esnext'],
    strict: true,
    types: [],
    noEmit: true,
    resolveJsonModule: true,
  },
})
const keys = (secret: string) =>
  `export const TOKEN = '${secret}' as const\nexport const box = { hushed: 1, veiled: 2 }\n`
const files = (secret: string) => ({
  'tsconfig.json': TSCONFIG,
  'src/secret/keys.ts': keys(secret),
  'src/secret/open.ts': `import { open } from '../open'\nexport const hushed = () => open(${secret.length > 12 ? 1 : "'one'"})\n`,
  'src/single.ts': keys(secret),
  'src/data.json': JSON.stringify({ token: secret, [secret]: 1 }),
  'src/keys.h': `#define TOKEN "${secret}"\nenum { hushed = sizeof TOKEN };\n`,
  'src/keys.py': `from typing import Final\nTOKEN: Final = "${secret}"\n`,
  'src/open.ts': 'export function open(wide: number) {\n  return wide\n}\n',
  'src/use.ts': `import { open } from './open'\nimport { box } from './single'\nexport interface Mine {\n  hushed: number\n}\nexport const mine: Mine = box\nopen(mine.hushed)\n`,
})
const DENIED = ['src/secret/**', 'src/single.ts', 'src/data.json', 'src/keys.py', 'src/keys.h', 'src/late*']

/** What says something else, or somewhere else, depending on what the hidden files hold. */
const SCRIPT = `import { TOKEN } from './secret/keys'
import { TOKEN as other, box, none } from './single'
import data from './data.json'
import { open } from './open'
const a: \`s\${string}\` = TOKEN
const b: \`s\${string}\` = other
const c: \`s\${string}\` = (null as unknown as typeof import /* far */ ('./single')).TOKEN
const d: { [key in typeof data.token]: number } = { 'sk-very-secret-123': 1 }
export const e: { other: number } = box
open('far')
`
const PYTHON = `from typing import Literal\nfrom .keys import TOKEN\na: Literal["sk-very-secret-123"] = TOKEN\nb: int = "far"\n`
/** Quotes what it includes where that is no C, and says whether it is as long as this. */
const C = `#include "keys.h"\n#include "data.json"\nint none = far;\n_Static_assert(sizeof TOKEN == 19, TOKEN);\n`

function configure({ env }: TemporaryWorkspace, denied: readonly string[], more: object = {}, action = '*'): void {
  const home = env['TOOLWRIGHT_CONFIG_HOME'] ?? ''
  mkdirSync(home, { recursive: true })
  const rules = denied.map(path => ({ action, path, verdict: 'deny' }))
  writeFileSync(join(home, 'config.json'), JSON.stringify({ policy: { rules }, ...more }))
}

const REFUSING = { effects: { refuse: 'new-errors' } }
const OPEN = { permissions: ['fs:write'], effects: 'complete' } as const

/** What is told, without what counts calls. */
const told = (outcome: Outcome): unknown =>
  outcome.ok
    ? { data: outcome.data, effects: outcome.meta.effects }
    : { ...outcome.error, message: outcome.error.message }

async function forEachSecret(work: (workspace: TemporaryWorkspace, secret: string) => Promise<unknown>) {
  const answers: unknown[] = []
  for (const secret of SECRETS) {
    await using workspace = temporaryWorkspace(files(secret))
    answers.push(await work(workspace, secret))
  }
  const [one, other] = answers
  expect(one).toEqual(other)
  for (const secret of [...SECRETS, 'veiled']) expect(JSON.stringify(one)).not.toContain(secret)
  return one
}

describe('a language server knows nothing of files that may not be read', () => {
  it('so that errors in TypeScript are the same whatever they hold, told, refused, staged or renamed', async () => {
    const input = { path: 'src/probe.ts', content: SCRIPT.replaceAll(SECRETS[0], 'abc') }
    const answers = await forEachSecret(async workspace => {
      configure(workspace, DENIED, REFUSING)
      const kit = await workspace.open(OPEN)
      const dry = await kit.run('write', input, { dryRun: true })
      expect(dry.outcome.meta.effects).toMatchObject({ complete: true })
      const refused = await kit.run('write', input)
      expect(refused.outcome).toMatchObject({ ok: false, error: { code: 'conflict' } })
      const uses = await kit.run('references', { name: 'open', path: 'src/open.ts' })
      const calls = await kit.run('callers', { name: 'open', path: 'src/open.ts', depth: 3 })
      expect(calls.outcome).toMatchObject({ ok: true, data: { basis: 'typescript', total: 1 } })
      const renamed = await kit.run('refactor', { kind: 'rename', path: 'src/use.ts', symbol: 'Mine.hushed', to: 'z' })
      const changed = await kit.run('edit', {
        path: 'src/open.ts',
        edits: [{ old: 'wide: number', new: 'wide: string' }],
      })
      return [dry, refused, uses, calls, renamed, changed].map(({ outcome }) => told(outcome))
    })
    const codes = /TS2307.*TS2307.*TS2345/
    expect(JSON.stringify(answers)).toMatch(codes)
    // Uses in hidden files do not count: what breaks there is unknown.
    expect(JSON.stringify(answers)).toContain('it would add 1 error: src/use.ts:7 TS2345')
  })

  it('nor does pyright', async () => {
    const answers = await forEachSecret(async workspace => {
      configure(workspace, DENIED)
      const kit = await workspace.open(OPEN)
      const { outcome } = await kit.run('write', { path: 'src/probe.py', content: PYTHON.replace(SECRETS[0], 'abc') })
      return told(outcome)
    })
    expect(answers).toMatchObject({ effects: { complete: true, introduced: { total: 2 } } })
  })

  needs('bubblewrap', 'clangd')('nor clangd', async () => {
    const answers = await forEachSecret(async workspace => {
      configure(workspace, DENIED)
      const kit = await workspace.open(OPEN)
      const { outcome } = await kit.run('write', { path: 'src/probe.c', content: C })
      return told(outcome)
    })
    expect(answers).toMatchObject({ effects: { complete: true } })
    expect(JSON.stringify(answers)).toContain("Use of undeclared identifier 'far'")
  })

  it('also where such a file comes later, is replaced, or a rule does', async () => {
    const input = {
      path: 'src/probe.ts',
      content: SCRIPT.replace('./secret/keys', './late').replaceAll(SECRETS[0], 'abc'),
    }
    await forEachSecret(async (workspace, secret) => {
      configure(workspace, DENIED.slice(1))
      const first = await workspace.open(OPEN)
      const calls = await first.run('callers', { name: 'open', path: 'src/open.ts' })
      expect(calls.outcome).toMatchObject({ ok: true, data: { total: 2 } })
      const before = await first.run('write', input, { dryRun: true })
      workspace.write('src/late.ts', keys(secret))
      const come = await first.run('write', input, { dryRun: true })
      // As an editor saves: what lay on the old file is gone with it.
      workspace.write('src/new', keys(secret))
      renameSync(join(workspace.path, 'src/new'), join(workspace.path, 'src/single.ts'))
      const replaced = await first.run('write', input, { dryRun: true })
      configure(workspace, DENIED)
      const second = await workspace.open(OPEN)
      const ruled = await second.run('callers', { name: 'open', path: 'src/open.ts' })
      expect(ruled.outcome).toMatchObject({ ok: true, data: { total: 1 } })
      return [before, come, replaced, ruled].map(({ outcome }) => told(outcome))
    })
  })

  it('nor of what is staged for them, and such a change is not judged', async () => {
    const input = { path: 'src/probe.ts', content: SCRIPT.replaceAll(SECRETS[0], 'abc') }
    await forEachSecret(async (workspace, secret) => {
      configure(workspace, DENIED, REFUSING, 'read')
      const kit = await workspace.open(OPEN)
      await kit.run('stage', { action: 'begin' })
      const content = keys(secret.toUpperCase())
      expect((await kit.run('write', { path: 'src/secret/more.ts', content, expect: 'absent' })).outcome).toMatchObject(
        {
          ok: true,
          meta: { effects: { complete: false, why: 'No language server is shown files that may not be read' } },
        },
      )
      // What no server reads needs none to judge it.
      const note = await kit.run('write', { path: 'src/secret/note.md', content: 'x', expect: 'absent' })
      expect(note.outcome).toMatchObject({ ok: true })
      expect(note.outcome.meta.effects).toBeUndefined()
      const staged = await kit.run('write', input)
      const all = await kit.run('effects', {})
      const refused = await kit.run('stage', { action: 'commit' })
      expect(refused.outcome).toMatchObject({ ok: false, error: { code: 'conflict' } })
      return [staged, all, refused].map(({ outcome }) => told(outcome))
    })
  })

  it('nor of what a link with a hidden name leads to', async () => {
    await using workspace = temporaryWorkspace(files(SECRETS[0]))
    symlinkSync('open.ts', join(workspace.path, 'src/late-link.ts'))
    symlinkSync('single.ts', join(workspace.path, 'src/way.ts'))
    configure(workspace, DENIED)
    const kit = await workspace.open(OPEN)
    const content = `import { open } from './open'\nimport { TOKEN } from './way'\nexport const a: 'no' = TOKEN\nopen('far')\n`
    const { outcome } = await kit.run('write', { path: 'src/probe.ts', content })
    expect(outcome.meta.effects).toMatchObject({
      complete: true,
      introduced: {
        first: [
          { line: 1, code: 'TS2307' },
          { line: 2, code: 'TS2307' },
        ],
      },
    })
    const asked = await kit.run('callers', { name: 'TOKEN', path: 'src/way.ts' })
    expect(asked.outcome).toMatchObject({
      ok: false,
      error: { code: 'denied', message: "'src/way.ts' may not be read" },
    })
  })

  it('and is shared by those from whom the same is hidden, with few others beside it', async () => {
    await using workspace = temporaryWorkspace(files(SECRETS[0]))
    const root = openRoot(workspace.path)
    const servers = openServers({ root, env: process.env, off: false, limits: DEFAULTS.commands, configured: [] })
    const pids = async () => (await servers.running()).map(({ pid }) => pid)
    const ask = async (...paths: readonly string[]) => {
      const hidden = { key: paths.join(), paths }
      const staged = { key: '', texts: new Map(), ...(paths.length > 0 && { hidden }) }
      await servers.ask('src/open.ts', staged, deadlineIn(60_000), server => server.outline('src/open.ts'))
      return pids()
    }
    try {
      const [first] = await ask()
      expect(await ask('src/single.ts')).toHaveLength(2)
      expect(await ask('src/secret')).toHaveLength(3)
      const three = await ask()
      expect(three).toContain(first)
      expect(await ask('src/single.ts')).toEqual(three)
      await ask('src/keys.py')
      await expect.poll(pids).toHaveLength(3)
      // The one that was asked longest ago has made room.
      expect(await pids()).toContain(first)
      expect(await pids()).not.toContain(three[2])
    } finally {
      await servers.close()
      root.close()
    }
  })

  it('and what it says is told in full', async () => {
    const probe = { path: 'src/probe.ts', content: `import { open } from './open'\nopen('far')\nopen(1, 2)\n` }
    for (const rule of ['**/.env*', 'src/secret/**', 'nothing/**']) {
      await using workspace = temporaryWorkspace({ ...files(SECRETS[0]), 'src/.env': 'A=1\n' })
      configure(workspace, [rule])
      const kit = await workspace.open(OPEN)
      const { outcome } = await kit.run('write', probe)
      expect(outcome.meta.effects?.introduced.first.map(({ message }) => message)).toEqual([
        `Argument of type 'string' is not assignable to parameter of type 'number'.`,
        'Expected 1 arguments, but got 2.',
      ])
    }
  })

  it('and is not started where nothing can be kept from it', async () => {
    await using workspace = temporaryWorkspace(files(SECRETS[0]))
    const matches = (path: string) => path.startsWith('src/secret')
    const unreadable = { matches, covers: () => false, reaches: () => true, names: () => false }
    await using code = openedCode(workspace, { off: true, unreadable })
    const question = { name: 'open', path: 'src/open.ts', depth: 1, deadlineMs: 30_000 }
    await expect(code.engine.callers(question)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('it would read files that you may not, as the sandbox is off'),
    })
    configure(workspace, DENIED, { ...REFUSING, sandbox: 'off' })
    const kit = await workspace.open(OPEN)
    const input = { path: 'src/probe.ts', content: SCRIPT }
    const { outcome } = await kit.run('write', input, { dryRun: true })
    expect(outcome.meta.effects).toMatchObject({
      complete: false,
      introduced: { total: 0 },
      why: expect.stringContaining('as the sandbox is off'),
    })
    const refused = await kit.run('write', input)
    expect(refused.outcome).toMatchObject({ ok: false, error: { code: 'conflict' } })
    configure(workspace, ['nothing/**'], { sandbox: 'off' })
    const free = await workspace.open(OPEN)
    const judged = await free.run('write', { path: 'src/probe.ts', content: 'export const a: number = 1\n' })
    expect(judged.outcome.meta.effects).toMatchObject({ complete: true })
  })
})
