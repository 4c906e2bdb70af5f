import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ToolError } from '../../src/kernel/error.ts'
import { placesOf, workspaceState, type WorkspaceState } from '../../src/machine/state/directory.ts'
import { pinTrust } from '../../src/machine/state/trust.ts'
import { workspacesIn } from '../../src/machine/upkeep/workspaces.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'

const SOMEBODY = 54_321
const isRoot = process.getuid?.() === 0

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
})
afterEach(() => workspace.remove())

/** Answers every question about writing with yes. */
const YES = JSON.stringify({
  version: 1,
  rules: [
    {
      id: 'planted',
      tool: 'toolwright/write',
      grants: [{ action: '*', path: '**' }],
      scope: 'user',
      by: 'nobody you know',
      at: '2026-01-01T00:00:00.000Z',
      enabled: true,
      made: { major: 1, effects: ['create', 'write'] },
    },
  ],
})
const ALLOW = JSON.stringify({ policy: { defaults: { write: 'allow' } } })

const state = () => join(workspace.base, 'state')
const config = () => join(workspace.base, 'config')

function plant(path: string, text?: string): string {
  mkdirSync(text === undefined ? path : dirname(path), { recursive: true, mode: 0o700 })
  if (text !== undefined) writeFileSync(path, text, { mode: 0o600 })
  return path
}

/** What an earlier user leaves, and everything in it. */
function giveAway(path: string): void {
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) giveAway(join(path, name))
  lchownSync(path, SOMEBODY, SOMEBODY)
}

/** The state of the workspace as a first call of its user leaves it. */
const used = (): WorkspaceState => workspaceState(workspace.path, workspace.env)

/** Writes a file without permission; returns the outcome. */
async function write(options: { readonly config?: string } = {}): Promise<string> {
  try {
    const kit = await workspace.open(options)
    const { outcome } = await kit.run('write', { path: 'b.txt', content: 'two\n', expect: 'absent' })
    return outcome.ok ? 'ok' : outcome.error.code
  } catch (error) {
    return error instanceof ToolError ? `${error.code}: ${error.message}; ${error.hint}` : String(error)
  }
}

async function expectRefused(options: { readonly config?: string } = {}): Promise<void> {
  const said = await write(options)
  expect(workspace.snapshot()).toEqual({ 'a.txt': expect.any(String) })
  expect(said).toMatch(/^denied: .*can be changed by other users.*chown/)
}

describe('what answers and widens', () => {
  it.each<[string, () => void]>([
    ['answers of the user', () => plant(join(state(), 'approvals.json'), YES)],
    ['a configuration', () => plant(join(config(), 'config.json'), ALLOW)],
  ])('counts where it is one’s own: %s', async (_, prepare) => {
    prepare()
    expect(await write()).toBe('ok')
  })

  it.runIf(process.getgid?.() === process.getuid?.())('counts where the group is the user’s own', async () => {
    plant(join(config(), 'config.json'), ALLOW)
    chmodSync(config(), 0o775)
    chmodSync(join(config(), 'config.json'), 0o664)
    expect(await write()).toBe('ok')
  })
})

describe.runIf(isRoot)('what another user left first is never used, not even by root', () => {
  const planted: readonly [string, () => void][] = [
    ['the state directory', () => giveAway(dirname(plant(join(state(), 'approvals.json'), YES)))],
    ['an empty state directory', () => giveAway(plant(state()))],
    ['the folder of all workspaces', () => giveAway(plant(join(state(), 'workspaces')))],
    ['answers of the user', () => giveAway(plant(join(state(), 'approvals.json'), YES))],
    ['the folder of the workspace', () => giveAway(used().path)],
    ['answers of the workspace', () => giveAway(plant(used().approvals, YES))],
    ['the heads', () => giveAway(dirname(used().head))],
    ['the head', () => giveAway(plant(used().head, '{}'))],
    ['the journal', () => giveAway(used().journal)],
    ['the transactions', () => giveAway(used().transactions)],
    ['the commits', () => giveAway(plant(used().commits))],
    ['the key of commits', () => giveAway(plant(join(used().path, 'commit.key'), 'known'))],
    ['the ledger', () => giveAway(plant(used().ledger, ''))],
    ['the configuration directory', () => giveAway(dirname(plant(join(config(), 'config.json'), ALLOW)))],
    ['the configuration', () => giveAway(plant(join(config(), 'config.json'), ALLOW))],
    ['what a link to the state leads to', () => linked('elsewhere', false)],
    ['a link to the state', () => linked('elsewhere', true)],
    ['the directory above the state', () => above()],
  ]

  function linked(name: string, isLinkTheirs: boolean): void {
    const target = dirname(plant(join(workspace.base, name, 'approvals.json'), YES))
    symlinkSync(target, state())
    if (isLinkTheirs) lchownSync(state(), SOMEBODY, SOMEBODY)
    else giveAway(target)
  }

  /** Theirs to replace with another one at any time. */
  function above(): void {
    const home = join(workspace.base, 'theirs')
    plant(join(home, 'state/approvals.json'), YES)
    lchownSync(home, SOMEBODY, SOMEBODY)
    symlinkSync(join(home, 'state'), state())
  }

  it.each(planted)('%s', async (_, prepare) => {
    prepare()
    await expectRefused()
  })

  it('a list of trusted projects', async () => {
    workspace.write('toolwright.json', ALLOW)
    const hash = createHash('sha256').update(ALLOW).digest('hex')
    const who = { by: 'nobody you know', at: '2026-01-01T00:00:00.000Z' }
    pinTrust(config(), join(workspace.path, 'toolwright.json'), hash, who)
    expect(await write()).toBe('ok')
    giveAway(join(config(), 'trust.json'))
    expect(await write()).toMatch(/^denied/)
  })

  it('a configuration that is named, unless it belongs to whom the workspace belongs to', async () => {
    const named = plant(join(workspace.base, 'named.json'), ALLOW)
    giveAway(named)
    await expectRefused({ config: named })
    giveAway(workspace.path)
    expect(await write({ config: named })).toBe('ok')
  })

  it('the folder of another workspace, for garbage collection', async () => {
    const { path, key } = used()
    const other = placesOf(state(), 'f'.repeat(24), workspace.path)
    plant(join(other.path, 'workspace.json'), JSON.stringify({ root: '/etc', ino: '1', born: '1' }))
    giveAway(other.path)
    expect(existsSync(path)).toBe(true)
    expect(workspacesIn(state()).map(found => found.key)).toEqual([key])
  })
})

describe('what others may write to is never used', () => {
  const open: readonly [string, () => void][] = [
    ['the state directory', () => chmodSync(dirname(plant(join(state(), 'approvals.json'), YES)), 0o777)],
    ['answers of the user', () => chmodSync(plant(join(state(), 'approvals.json'), YES), 0o666)],
    ['answers of the workspace', () => chmodSync(plant(used().approvals, YES), 0o646)],
    ['the folder of the workspace', () => chmodSync(used().path, 0o703)],
    ['the transactions', () => chmodSync(used().transactions, 0o777)],
    ['the heads', () => chmodSync(dirname(used().head), 0o702)],
    ['the configuration', () => chmodSync(plant(join(config(), 'config.json'), ALLOW), 0o666)],
    ['the configuration directory', () => chmodSync(dirname(plant(join(config(), 'config.json'), ALLOW)), 0o777)],
    ['a sticky state directory', () => chmodSync(plant(state()), 0o1777)],
    [
      'the directory above the state',
      () => {
        const home = join(workspace.base, 'open')
        plant(join(home, 'state/approvals.json'), YES)
        chmodSync(home, 0o777)
        symlinkSync(join(home, 'state'), state())
      },
    ],
    [
      'a directory that a link passes through',
      () => {
        const middle = plant(join(workspace.base, 'middle'))
        plant(join(workspace.base, 'real/approvals.json'), YES)
        symlinkSync('../real', join(middle, 'state'))
        chmodSync(middle, 0o777)
        symlinkSync('middle/state', state())
      },
    ],
  ]

  it.each(open)('%s', async (_, prepare) => {
    prepare()
    await expectRefused()
  })

  it('a link that leads to itself', async () => {
    symlinkSync('state', join(workspace.base, 'other'))
    symlinkSync('other', state())
    expect(await write()).not.toBe('ok')
  })

  it('but a state directory in a sticky one is one’s own', async () => {
    const shared = join(workspace.base, 'shared')
    plant(join(shared, 'state/approvals.json'), YES)
    chmodSync(shared, 0o1777)
    renameSync(join(shared, 'state'), join(shared, 'mine'))
    symlinkSync(join(shared, 'mine'), state())
    expect(await write()).toBe('ok')
  })
})
