import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { madeFor } from '../../src/guards/approval/approval.ts'
import { loadContract, type Toolkit } from '../../src/toolkit.ts'
import type { ApprovalEntry } from '../../src/runtime/approval-list.ts'
import { runIn } from '../cli/rig.ts'
import { repository } from '../process/git-world.ts'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'

const HOUR = 3_600_000
const from = (ms: number): string => new Date(Date.now() + ms).toISOString()

const { tools } = await loadContract('toolwright')
const write = tools.find(({ name }) => name === 'write')
if (!write) throw new Error('there is no write')
const made = madeFor(write)

/** Fields of a remembered answer that differ from one that approves the call. */
type Given = Partial<Omit<ApprovalEntry, 'id'>> & { readonly glob?: string }

interface Life {
  readonly answers: readonly Given[]
  /** What happens before the call; `ids` are those of the answers. */
  readonly after?: (workspace: TemporaryWorkspace, ids: readonly string[]) => void | Promise<void>
  /** Permissions and the like of the session that makes the call. */
  readonly session?: object
  readonly config?: object
  readonly path?: string
  readonly runs: boolean
}

const cli = async (workspace: TemporaryWorkspace, ...args: readonly string[]) => {
  const { code, bytes, err } = await runIn(workspace, args, {})
  return { code, out: bytes.toString(), err }
}

const policy =
  (...args: readonly string[]) =>
  async (workspace: TemporaryWorkspace): Promise<void> =>
    expect((await cli(workspace, 'policy', ...args)).code).toBe(0)

const LIVES: Readonly<Record<string, Life>> = {
  'an answer that covers the call': { answers: [{}], runs: true },
  'one that never expires': { answers: [{ expiresAt: undefined }], runs: true },
  'one that expires in a moment': { answers: [{ expiresAt: from(HOUR) }], runs: true },
  'one that has expired': { answers: [{ expiresAt: from(-1) }], runs: false },
  'one that expired once, with a later date written in': {
    answers: [{ expired: true, expiresAt: from(HOUR) }],
    runs: false,
  },
  'one that is switched off': { answers: [{ enabled: false }], runs: false },
  'one that was removed': { answers: [{}], after: (w, [id = '']) => policy('remove', id)(w), runs: false },
  'one that was switched off by hand': {
    answers: [{}],
    after: (w, [id = '']) => policy('disable', id)(w),
    runs: false,
  },
  'one that was switched off and on': {
    answers: [{}],
    async after(w, [id = '']) {
      await policy('disable', id)(w)
      await policy('enable', id)(w)
    },
    runs: true,
  },
  'of another workspace': { answers: [{ workspace: 'other' }], runs: false },
  'of a workspace that is not named': { answers: [{ workspace: undefined }], runs: false },
  'of another task': { answers: [{ scope: 'task', task: 'other' }], runs: false },
  'of this task': { answers: [{ scope: 'task', task: 'here' }], session: { task: 'here' }, runs: true },
  'of this task in another workspace': {
    answers: [{ scope: 'task', task: 'here', workspace: 'other' }],
    session: { task: 'here' },
    runs: false,
  },
  'of a task that is not named': { answers: [{ scope: 'task' }], runs: false },
  'of a session that is over': { answers: [{ scope: 'session', session: 'before' }], runs: false },
  'of the user': { answers: [{ scope: 'user', workspace: undefined }], runs: true },
  'of the user, for another workspace': { answers: [{ scope: 'user', workspace: 'other' }], runs: false },
  'for the tool of another document': { answers: [{ tool: 'sage/Write' }], runs: false },
  'for the bare name of the tool': { answers: [{ tool: 'write' }], runs: false },
  'for every tool': { answers: [{ tool: '*' }, { tool: 'toolwright/*' }], runs: false },
  'for an earlier major version': { answers: [{ made: { ...made, major: made.major - 1 } }], runs: false },
  'for a later major version': { answers: [{ made: { ...made, major: made.major + 1 } }], runs: false },
  'for fewer effects than the tool has now': { answers: [{ made: { ...made, effects: [] } }], runs: false },
  'for more effects than the tool has now': {
    answers: [{ made: { ...made, effects: ['exec', ...made.effects] } }],
    runs: false,
  },
  'without the version of its tool': { answers: [{ made: undefined }], runs: false },
  'a narrower one for another place': { answers: [{ glob: 'other/**' }], runs: false },
  'a wider one that is off, and a narrower one elsewhere': {
    answers: [{ enabled: false, glob: '**' }, { glob: 'other/**' }],
    runs: false,
  },
  'a wider one that has expired, and a narrower one here': {
    answers: [{ expiresAt: from(-1), glob: '**' }, { glob: 'mark' }],
    runs: true,
  },
  'for reading alone': { answers: [{ grants: [{ action: 'read', path: '**' }] }], runs: false },
  'two that say the same, one removed': {
    answers: [{}, {}],
    after: (w, [id = '']) => policy('remove', id)(w),
    runs: true,
  },
  'two that say the same, both removed': {
    answers: [{}, {}],
    async after(w, ids) {
      for (const id of ids) await policy('remove', id)(w)
    },
    runs: false,
  },
  'an earlier deny': { answers: [], after: policy('add', '--deny', 'fs:write:mark'), runs: false },
  'a later deny': { answers: [{ glob: '**' }], after: policy('add', '--deny', 'fs:write:mark'), runs: false },
  'a later deny of new files': {
    answers: [{ glob: '**' }],
    after: policy('add', '--deny', 'fs:create:m*'),
    runs: false,
  },
  'a later deny of another place': {
    answers: [{ glob: '**' }],
    after: policy('add', '--deny', 'fs:write:other'),
    runs: true,
  },
  'a deny of the configuration': {
    answers: [{ glob: '**' }],
    config: { policy: { rules: [{ action: 'write', path: 'mark', verdict: 'deny' }] } },
    runs: false,
  },
  'a default that denies': {
    answers: [{}],
    config: { policy: { defaults: { write: 'deny', create: 'deny' } } },
    runs: false,
  },
  'a rule that asks every time': {
    answers: [{}],
    config: { policy: { rules: [{ action: 'write', path: 'mark', verdict: 'ask', always: true }] } },
    runs: false,
  },
  'a rule that asks, for an answer to the default': {
    answers: [{ asked: [] }],
    config: { policy: { rules: [{ action: 'write', path: 'm*', verdict: 'ask' }] } },
    runs: false,
  },
  'a rule that asks, for an answer to another rule': {
    answers: [{ asked: ['ask write **'] }],
    config: { policy: { rules: [{ action: 'write', path: 'm*', verdict: 'ask' }] } },
    runs: false,
  },
  'the rule that asked when it was given, among new ones': {
    answers: [{ asked: ['ask write m*'] }],
    config: {
      policy: {
        rules: [
          { action: 'write', path: 'other', verdict: 'deny' },
          { action: 'write', path: 'm*', verdict: 'ask' },
        ],
      },
    },
    runs: true,
  },
  'a rule that asked then and is gone': { answers: [{ asked: ['ask write m*'] }], runs: true },
  'a session with its own permissions only': { answers: [{}], session: { permissionsOnly: true }, runs: false },
  'a session that only reads': { answers: [{}], session: { readOnly: true }, runs: false },
  'a session that denies it': { answers: [{}], session: { denials: ['fs:write:mark'] }, runs: false },
  'a place that asks every time': { answers: [{ glob: '**' }], path: 'CLAUDE.md', runs: false },
  'a place that nothing opens': { answers: [{ glob: '**' }], path: '.git/config2', runs: false },
}

function remember(kit: Toolkit, { glob = 'mark', ...given }: Given): string {
  const { scope = 'workspace' } = given
  const pathless = [
    { action: 'write' as const, path: glob },
    { action: 'read' as const, path: glob },
  ]
  const answer = {
    tool: 'toolwright/write',
    grants: pathless,
    scope,
    workspace: kit.state.key,
    by: 'ada',
    at: from(-HOUR),
    expiresAt: from(HOUR),
    enabled: true,
    made,
    ...given,
  }
  return kit.workspace.approvals[scope === 'user' ? 'user' : 'workspace'].add(answer).id
}

const writeAt = (path: string): object => ({ path, content: 'x\n', expect: 'absent' })

describe('a remembered answer', () => {
  it.each(Object.entries(LIVES))('%s', async (_name, { answers, after, config, session, path = 'mark', runs }) => {
    await using workspace = repository()
    const before = await workspace.open()
    const ids = answers.map(answer => remember(before, answer))
    await before.close()
    await after?.(workspace, ids)
    const file = join(workspace.base, 'config.json')
    writeFileSync(file, JSON.stringify(config ?? {}))
    const kit = await workspace.open({ ...session, config: file })
    const { outcome } = await kit.run('write', writeAt(path))
    expect([existsSync(join(workspace.path, path)), outcome.ok]).toEqual([runs, runs])
  })

  it.each([
    ['removes', (file: { rules: unknown[] }) => void file.rules.splice(0)],
    ['switches off', (file: { rules: { enabled?: boolean }[] }) => file.rules.forEach(rule => (rule.enabled = false))],
    [
      'widens',
      (file: { rules: { grants?: unknown }[] }) =>
        file.rules.forEach(rule => (rule.grants = [{ action: 'write', path: '**' }])),
    ],
  ])('does not count in an open session once another process %s it', async (_what, change) => {
    await using workspace = repository()
    const kit = await workspace.open()
    remember(kit, {})
    const content = JSON.parse(readFileSync(kit.state.approvals, 'utf8'))
    change(content)
    writeFileSync(kit.state.approvals, JSON.stringify(content))
    await kit.run('write', writeAt('mark'))
    expect(existsSync(join(workspace.path, 'mark'))).toBe(false)
  })

  it('to the default does not answer a rule that asks since, and the card says so', async () => {
    await using workspace = repository()
    const first = await workspace.open({ approve: () => ({ answer: 'always', by: 'ada' }) })
    await first.run('write', writeAt('out/one.txt'))
    await first.close()
    const file = join(workspace.base, 'config.json')
    writeFileSync(file, JSON.stringify({ policy: { rules: [{ action: 'write', path: 'out/*.txt', verdict: 'ask' }] } }))
    const cards: string[] = []
    const kit = await workspace.open({
      config: file,
      approve({ card }) {
        cards.push(card.why)
        return { answer: cards.length === 1 ? 'no' : 'always', by: 'ada' }
      },
    })
    await kit.run('write', writeAt('out/two.txt'))
    expect([cards.length, existsSync(join(workspace.path, 'out/two.txt'))]).toEqual([1, false])
    expect(cards[0]).toMatch(
      /the remembered answer \w+ does not count: the policy has changed since, and 'ask write out\/\*\.txt' asks now/,
    )
    await kit.run('write', writeAt('out/two.txt'))
    await kit.run('write', writeAt('out/three.txt'))
    expect([cards.length, existsSync(join(workspace.path, 'out/three.txt'))]).toEqual([2, true])
  })

  it('that is removed names another one that says the same', async () => {
    await using workspace = repository()
    const kit = await workspace.open()
    const [one = '', other = ''] = [{}, {}].map(answer => remember(kit, answer))
    await kit.close()
    expect((await cli(workspace, 'policy', 'remove', one)).err).toContain(`${other} still says the same`)
    expect((await cli(workspace, 'policy', 'remove', other)).err).toBe('')
  })
})
