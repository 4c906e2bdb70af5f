import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool } from './engines/engines.ts'
import { writes } from './kernel/claim.ts'
import type { Outcome } from './kernel/outcome.ts'
import { OWN_CODES } from './kernel/own-codes.ts'
import { fakePerson, fakeSecrets } from './testing/fakes.ts'
import { headline } from './surfaces/render/answer.ts'
import { temporaryWorkspace } from './testing/temporary-workspace.ts'

interface Row {
  readonly what: string
  readonly tool: string
  readonly input: object
  readonly contract?: string
  readonly asks: boolean
}

const TWO = ['a.txt', 'dir/b.txt']
const FILES = { 'a.txt': 'one\ntwo\n', 'dir/b.txt': 'b\n', '.env': 'KEY=1\n' }

const ROWS: readonly Row[] = [
  { what: 'the same content', tool: 'write', input: { path: 'a.txt', content: 'one\ntwo\n' }, asks: false },
  { what: 'other content', tool: 'write', input: { path: 'a.txt', content: 'one\n' }, asks: true },
  { what: 'a new file', tool: 'write', input: { path: 'n.txt', content: '' }, asks: true },
  {
    what: 'other text replaced',
    tool: 'replace_string_in_file',
    input: { path: 'a.txt', old_string: 'one', new_string: '1' },
    contract: 'cli-agent',
    asks: true,
  },
  {
    what: 'the same content through Write',
    tool: 'Write',
    input: { file: 'dir/b.txt', content: 'b\n' },
    contract: 'sage',
    asks: false,
  },
  {
    what: 'other content through Write',
    tool: 'Write',
    input: { file: 'dir/b.txt', content: 'c\n' },
    contract: 'sage',
    asks: true,
  },
  {
    what: 'edits that undo each other',
    tool: 'edit',
    input: {
      path: 'a.txt',
      edits: [
        { old: 'one', new: '1' },
        { old: '1', new: 'one' },
      ],
    },
    asks: false,
  },
  {
    what: 'the same content of a file that the caller may not read',
    tool: 'Write',
    input: { file: '.env', content: 'KEY=1\n' },
    contract: 'sage',
    asks: true,
  },
  { what: 'a deletion', tool: 'delete', input: { path: 'a.txt' }, asks: true },
]

describe('a change that leaves its files as they are', () => {
  it.each(ROWS)('$what: asks $asks', async ({ tool, input, contract, asks }) => {
    await using workspace = temporaryWorkspace(FILES)
    const person = fakePerson('no')
    const kit = await workspace.open({ approve: person })
    await kit.run('read', { path: 'a.txt' })
    const before = workspace.snapshot()
    const { outcome } = await kit.run(tool, input, contract === undefined ? {} : { contract })
    expect([person.asked.length > 0, outcome.ok, outcome.meta.changed]).toEqual([asks, !asks, []])
    expect(outcome.meta.undo).toBeUndefined()
    expect(workspace.snapshot()).toEqual(before)
  })

  it('is answered as unchanged, and as nothing of the kind once a byte differs', async () => {
    await using workspace = temporaryWorkspace(FILES)
    const kit = await workspace.open({ permissions: ['fs:write'] })
    await kit.run('read', { path: 'a.txt' })
    const write = async (content: string) => Object((await kit.run('write', { path: 'a.txt', content })).outcome).data
    const same = await write(FILES['a.txt'])
    expect(same).toMatchObject({ path: 'a.txt', bytes: 8, created: false, unchanged: true })
    expect(headline('write', same)).toBe('write (bytes 8, unchanged)')
    expect(await write('one\nTWO\n')).not.toHaveProperty('unchanged')
  })

  it('asks whatever else the call does: a secret, another file, or nothing that is seen', async () => {
    await using workspace = temporaryWorkspace({ ...FILES, 'c.txt': '$ENV.TOKEN' })
    const person = fakePerson('no')
    const secrets = fakeSecrets({ TOKEN: 'Zq7xK2mPv9TrW4nLs8BdYf3H' })
    const tool = (name: string, paths: readonly string[], written: readonly string[]) =>
      defineTool({
        name,
        description: 'Writes what its files have',
        version: '1.0.0',
        input: z.strictObject({ note: z.string().optional() }),
        output: z.unknown(),
        effects: ['create', 'write'],
        claims: () => writes(...paths),
        run(_input, { text }) {
          for (const path of written) text.write(path, workspace.read(path))
        },
        examples: [],
      })
    const tools = [tool('one', ['a.txt'], ['a.txt']), tool('none', ['a.txt'], []), tool('two', TWO, TWO)]
    const contract = { id: 'own', tools, codes: OWN_CODES, envelope: (_call: unknown, outcome: Outcome) => outcome }
    const kit = await workspace.open({ contract, approve: person, secrets })
    for (const path of [...TWO, 'c.txt']) await kit.run('read', { path }, { contract: 'toolwright' })
    const asks = async (name: string, input: object, more: object = {}) => {
      const before = person.asked.length
      const { outcome } = await kit.run(name, input, more)
      expect(outcome.ok).toBe(person.asked.length === before)
      return person.asked.length > before
    }
    expect(await asks('one', {})).toBe(false)
    expect(await asks('none', {})).toBe(true)
    expect(await asks('two', {})).toBe(true)
    expect(await asks('one', { note: '$ENV.TOKEN' })).toBe(true)
    expect(await asks('write', { path: 'c.txt', content: '$ENV.TOKEN' }, { contract: 'toolwright' })).toBe(true)
    expect(await asks('one', {}, { dryRun: true })).toBe(false)
    expect(workspace.read('c.txt')).toBe('$ENV.TOKEN')
  })

  it('lands nothing if it would change one after all', async () => {
    await using workspace = temporaryWorkspace(FILES)
    let runs = 0
    const touch = defineTool({
      name: 'touch',
      description: 'Writes the same content once, and other content from then on',
      version: '1.0.0',
      input: z.strictObject({}),
      output: z.unknown(),
      effects: ['create', 'write'],
      claims: () => writes('a.txt'),
      run: (_input, { text }) => text.write('a.txt', runs++ === 0 ? FILES['a.txt'] : 'other'),
      examples: [],
    })
    const envelope = (_call: unknown, outcome: Outcome) => outcome
    const person = fakePerson('yes')
    const contract = { id: 'own', tools: [touch], codes: OWN_CODES, envelope }
    const kit = await workspace.open({ contract, approve: person })
    const { outcome } = await kit.run('touch', {})
    expect(outcome).toMatchObject({ ok: false, error: { code: 'conflict' }, meta: { changed: [] } })
    expect([runs, person.asked, workspace.read('a.txt')]).toEqual([2, [], FILES['a.txt']])
  })
})
