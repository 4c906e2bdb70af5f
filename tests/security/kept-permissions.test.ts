import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SessionHandle, Toolkit } from '../../src/index.ts'
import type { Answerer } from '../../src/runtime/questions.ts'
import { fakePerson } from '../../src/testing/fakes.ts'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { repository } from '../process/git-world.ts'

const MARK = 'Zt7pLw20sRkY'
const LONG = `KEY=x${'y'.repeat(3000)}`
const FILLER = Array.from({ length: 900 }, (_, at) => `LINE_${at}=of the file\n`).join('')

function configure(workspace: TemporaryWorkspace, rules: readonly object[]): void {
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  const config = { limits: { answerBytes: 2000 }, policy: { rules } }
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify(config))
}

type Make = (kit: Toolkit) => Promise<string>

const answerTo =
  (tool: string, input: object, call: object = {}): Make =>
  async kit => {
    const { outcome } = await kit.run(tool, input, call)
    expect(outcome).toMatchObject({ ok: true, meta: { ref: expect.stringMatching(/^ref:/) } })
    return outcome.meta.ref ?? ''
  }

const run = (command: string): Make => answerTo('run', { command })
const edit = { path: '.env', edits: [{ old: `KEY=${MARK}`, new: LONG }] }
const diff = `--- a/.env\n+++ b/.env\n@@ -1,2 +1,2 @@\n-KEY=${MARK}\n+${LONG}\n LINE_0=of the file\n`

/** Returns the reference to all of the last question that a person answered with no. */
function inQuestion(work: (kit: SessionHandle) => Promise<unknown>): Make {
  return async kit => {
    let ref = ''
    const approve: Answerer = ({ card }) => {
      ref = card.whole?.() ?? ''
      return { answer: card.claims.some(({ action }) => action === 'write') ? 'no' : 'yes', by: 'ada' }
    }
    await work(kit.session({ approve }))
    expect(ref).toMatch(/^ref:/)
    return ref
  }
}

/** Calls whose stored answers hold the file; all of them ask. */
const MAKERS: readonly (readonly [string, Make])[] = [
  ['read', answerTo('read', { path: '.env' })],
  ['a search', answerTo('grep', { pattern: 'E', path: '.env', limit: 2000 })],
  ['cat', run('cat .env')],
  ['a name with a directory', run('cat ./docs/../.env')],
  ['a redirection', run('cat < .env')],
  ['a shell in the line', run(`sh -c 'cat .env'`)],
  ['the value of an option', run('grep --file=/dev/null --invert-match .env; diff --to-file=.env /dev/null')],
  ['git', run('git show HEAD:.env')],
  ['a program', run(`node -e 'console.log(fs.readFileSync(process.argv[1], "utf8"))' .env`)],
  ['a pattern', run('cat .env*')],
  ['the question about a patch', inQuestion(kit => kit.run('patch', { diff }))],
  ['an edit', answerTo('edit', edit)],
  [
    'the question about a transaction',
    inQuestion(async kit => {
      await kit.run('stage', { action: 'begin' })
      await kit.run('edit', edit)
      await kit.run('stage', { action: 'commit' })
      await kit.run('stage', { action: 'rollback' })
    }),
  ],
]

/** What a session sees of a reference. */
async function shown(kit: Pick<Toolkit, 'run'>, path: string): Promise<string> {
  const looks = [
    { pattern: 'KEY=\\w{12}', regex: true, onlyMatching: true, path },
    { pattern: MARK, path },
  ]
  const found = await Promise.all(looks.map(async look => (await kit.run('grep', look)).outcome))
  const outcomes = [...found, (await kit.run('read', { path })).outcome]
  return JSON.stringify(outcomes.map(outcome => (outcome.ok ? outcome.data : outcome.error.code)))
}

const world = (): TemporaryWorkspace => {
  const workspace = repository({ '.env': `KEY=${MARK}\n${FILLER}`, 'docs/a.txt': 'one\n' })
  configure(workspace, [])
  return workspace
}

describe.each(MAKERS)('what %s answered about a file with secrets', (_name, make) => {
  it('is read by its own session, asks again in another, and is closed by a deny', async () => {
    await using workspace = world()
    const kit = await workspace.open({ approve: fakePerson('yes') })
    const ref = await make(kit)
    expect(await shown(kit, ref)).toContain(MARK)

    const no = fakePerson('no')
    expect(await shown(kit.session({ approve: no }), ref)).not.toContain(MARK)
    expect(no.asked.length).toBeGreaterThan(0)
    expect(await shown(await workspace.open({}), ref)).not.toContain(MARK)
    const yes = fakePerson('yes')
    expect(await shown(await workspace.open({ approve: yes }), ref)).toContain(MARK)
    expect(yes.asked.length).toBeGreaterThan(0)
    expect(await shown(await workspace.open({ permissions: ['fs:read', 'exec'] }), ref)).toContain(MARK)

    configure(workspace, [{ action: 'read', path: '.env', verdict: 'deny' }])
    expect(await shown(await workspace.open({ approve: fakePerson('yes') }), ref)).not.toContain(MARK)
  })
})

describe('what a command answered that names no such file', () => {
  it.each(['git log --format=%s; yes 1 | head -n 2000', 'cat docs/a.txt; yes 1 | head -n 2000'])(
    'is read by other sessions unasked: %s',
    async command => {
      await using workspace = world()
      const ref = await run(command)(await workspace.open({ approve: fakePerson('yes') }))
      const no = fakePerson('no')
      const other = await workspace.open({ approve: no, permissions: ['fs:read'] })
      expect((await other.run('grep', { pattern: '1', path: ref })).outcome.ok).toBe(true)
      expect(no.asked).toEqual([])
    },
  )
})
