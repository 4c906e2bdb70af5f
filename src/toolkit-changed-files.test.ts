import { describe, expect, it } from 'vitest'
import { createEditTool, createReadTool } from './contracts.ts'
import type { Outcome } from './kernel/outcome.ts'
import { fakePerson } from './testing/fakes.ts'
import { temporaryWorkspace } from './testing/temporary-workspace.ts'

const WRITE = { permissions: ['fs:write'] }
const codeOf = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.error.code)
const READ = 'one\ntwo\nthree\nfour\nfive\n'
const hunk = (lines: string, header = '@@ -1,3 +1,3 @@') => `--- a/a.txt\n+++ b/a.txt\n${header}\n${lines}`
const replace = (old: string, by: string) => ({ path: 'a.txt', old_string: old, new_string: by })
const edit = (...edits: readonly object[]) => ({ path: 'a.txt', edits })

interface Row {
  readonly what: string
  /** The file as someone else left it after this session read it. */
  readonly theirs: string
  readonly tool: string
  readonly input: object
  /** The file afterwards; undefined if the call is a conflict. */
  readonly after?: string
  /** What the warning says of the change. */
  readonly warning?: string
  readonly contract?: string
}

const ROWS: readonly Row[] = [
  {
    what: 'SG-12: an edit of text that stands once',
    theirs: 'zero\none\ntwo\nthree\nfour\nfive\n',
    tool: 'edit',
    input: edit({ old: 'two', new: 'TWO' }),
    after: 'zero\none\nTWO\nthree\nfour\nfive\n',
    warning: 'line 1.',
  },
  {
    what: 'SG-12: an edit beside lines that were removed',
    theirs: 'one\ntwo\nfive\n',
    tool: 'edit',
    input: edit({ old: 'two', new: 'TWO' }),
    after: 'one\nTWO\nfive\n',
    warning: 'lines removed after line 2.',
  },
  {
    what: 'SG-12: an edit beside several changes',
    theirs: 'ONE\ntwo\nthree\nfour\n5\n6\n',
    tool: 'edit',
    input: edit({ old: 'three', new: 'THREE' }),
    after: 'ONE\ntwo\nTHREE\nfour\n5\n6\n',
    warning: 'line 1, lines 5-6.',
  },
  {
    what: 'SG-12: several edits, each once',
    theirs: `${READ}six\n`,
    tool: 'edit',
    input: edit({ old: 'one', new: 'ONE' }, { old: 'four', new: 'FOUR' }),
    after: 'ONE\ntwo\nthree\nFOUR\nfive\nsix\n',
    warning: 'line 6.',
  },
  {
    what: 'SG-12: an edit of text that now stands twice, all of it',
    theirs: `${READ}two\n`,
    tool: 'edit',
    input: edit({ old: 'two', new: 'TWO', all: true }),
  },
  {
    what: 'SG-12: several edits, one of them twice',
    theirs: `${READ}four\n`,
    tool: 'edit',
    input: edit({ old: 'one', new: 'ONE' }, { old: 'four', new: 'FOUR', all: true }),
  },
  {
    what: 'CA-06: old text that stands once',
    theirs: 'zero\none\ntwo\n',
    tool: 'replace_string_in_file',
    input: replace('two', 'TWO'),
    contract: 'cli-agent',
    after: 'zero\none\nTWO\n',
    warning: 'line 1,',
  },
  {
    what: 'CA-06: old text that now stands twice',
    theirs: `${READ}two\n`,
    tool: 'replace_string_in_file',
    input: replace('two', 'TWO'),
    contract: 'cli-agent',
  },
  {
    what: 'CA-06: old text that overlaps itself',
    theirs: 'one\naaa\n',
    tool: 'replace_string_in_file',
    input: replace('aa', 'b'),
    contract: 'cli-agent',
  },
  {
    what: 'SG-12: a diff whose lines stand once, elsewhere',
    theirs: `a\nb\n${READ}`,
    tool: 'patch',
    input: { diff: hunk(' two\n-three\n+THREE\n four\n', '@@ -2,3 +2,3 @@') },
    after: 'a\nb\none\ntwo\nTHREE\nfour\nfive\n',
    warning: 'lines 1-2.',
  },
  {
    what: 'SG-12: a diff whose lines now stand twice',
    theirs: `${READ}one\ntwo\nthree\n`,
    tool: 'patch',
    input: { diff: hunk(' one\n-two\n+TWO\n three\n') },
  },
  {
    what: 'SG-12: a diff whose second hunk now stands twice',
    theirs: `${READ}five\n`,
    tool: 'patch',
    input: { diff: hunk('-one\n+ONE\n', '@@ -1 +1 @@').concat('@@ -5 +5 @@\n-five\n+FIVE\n') },
  },
  {
    what: 'SG-12: a diff that only adds, without context',
    theirs: `${READ}six\n`,
    tool: 'patch',
    input: { diff: hunk('+new\n', '@@ -2,0 +3 @@') },
  },
  {
    what: 'SG-12: an envelope whose lines stand once',
    theirs: `${READ}six\n`,
    tool: 'patch',
    input: { diff: '*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+TWO\n*** End Patch\n' },
    after: 'one\nTWO\nthree\nfour\nfive\nsix\n',
    warning: 'line 6.',
  },
  {
    what: 'SG-12: an envelope whose anchor alone tells two places apart',
    theirs: `${READ}two\n`,
    tool: 'patch',
    input: { diff: '*** Begin Patch\n*** Update File: a.txt\n@@ five\n-two\n+TWO\n*** End Patch\n' },
  },
  {
    what: 'SG-12: a diff that deletes the file',
    theirs: 'one\n',
    tool: 'patch',
    input: { diff: '--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n' },
  },
  { what: 'a whole-file write', theirs: `${READ}six\n`, tool: 'write', input: { path: 'a.txt', content: 'mine\n' } },
  { what: 'a deletion', theirs: `${READ}six\n`, tool: 'delete', input: { path: 'a.txt' } },
  { what: 'a move', theirs: `${READ}six\n`, tool: 'move', input: { from: 'a.txt', to: 'b.txt' } },
]

describe('a file that someone else changed since it was read', () => {
  it.each(ROWS)('$what', async ({ theirs, tool, input, after, warning, contract }) => {
    await using workspace = temporaryWorkspace({ 'a.txt': READ })
    const kit = await workspace.open(WRITE)
    await kit.run('read', { path: 'a.txt' })
    workspace.write('a.txt', theirs)
    const { outcome } = await kit.run(tool, input, contract === undefined ? {} : { contract })
    expect([codeOf(outcome), workspace.read('a.txt')]).toEqual(
      after === undefined ? ['conflict', theirs] : ['ok', after],
    )
    if (warning === undefined) expect(outcome.meta.warnings).toBeUndefined()
    else expect(outcome.meta.warnings).toEqual([expect.stringMatching(/^'?a\.txt'? was changed by someone else/)])
    expect(outcome.meta.warnings?.join() ?? '').toContain(warning ?? '')
  })

  it('SG-12: with an `expect`, stays a conflict', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': READ })
    const kit = await workspace.open(WRITE)
    const { outcome: read } = await kit.run('read', { path: 'a.txt' })
    workspace.write('a.txt', `${READ}six\n`)
    const { hash } = Object(read.ok && read.data)
    const { outcome } = await kit.run('edit', { ...edit({ old: 'two', new: 'TWO' }), expect: hash })
    expect([codeOf(outcome), workspace.read('a.txt')]).toEqual(['conflict', `${READ}six\n`])
  })

  it('SG-12: the card says what else changed, and a change after it is a conflict', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': READ })
    const person = fakePerson('yes')
    let meanwhile = () => {}
    const kit = await workspace.open({
      approve(card) {
        meanwhile()
        return person(card)
      },
    })
    await kit.run('read', { path: 'a.txt' })
    workspace.write('a.txt', `${READ}six\n`)
    expect(codeOf((await kit.run('edit', edit({ old: 'two', new: 'TWO' }))).outcome)).toBe('ok')
    expect(person.asked[0]?.card.why).toContain('changed by someone else since it was read: line 6')
    await kit.run('read', { path: 'a.txt' })
    meanwhile = () => workspace.write('a.txt', `${READ}seven\n`)
    expect(codeOf((await kit.run('edit', edit({ old: 'one', new: 'ONE' }))).outcome)).toBe('conflict')
    expect(workspace.read('a.txt')).toBe(`${READ}seven\n`)
  })

  it.each([true, false])(
    'SG-12: nothing lands of a diff of two files, one changed while the card is open (read: %s)',
    async isRead => {
      await using workspace = temporaryWorkspace({ 'a.txt': READ, 'b.txt': 'b\n' })
      const person = fakePerson('yes')
      const kit = await workspace.open({
        approve(card) {
          workspace.write('a.txt', `${READ}six\n`)
          return person(card)
        },
      })
      if (isRead) for (const path of ['a.txt', 'b.txt']) await kit.run('read', { path })
      const diff = `--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+B\n${hunk(' one\n-two\n+TWO\n three\n')}`
      expect(codeOf((await kit.run('patch', { diff })).outcome)).toBe('conflict')
      expect(person.asked).toHaveLength(1)
      expect([workspace.read('a.txt'), workspace.read('b.txt')]).toEqual([`${READ}six\n`, 'b\n'])
    },
  )

  it('SG-12: an edit beside what was not read does not permit replacing all of it', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': READ })
    const kit = await workspace.open(WRITE)
    await kit.run('read', { path: 'a.txt' })
    workspace.write('a.txt', `${READ}theirs\n`)
    expect(codeOf((await kit.run('edit', edit({ old: 'two', new: 'TWO' }))).outcome)).toBe('ok')
    expect(codeOf((await kit.run('write', { path: 'a.txt', content: 'mine\n' })).outcome)).toBe('conflict')
    expect(workspace.read('a.txt')).toContain('theirs')
    await kit.run('read', { path: 'a.txt' })
    expect(codeOf((await kit.run('write', { path: 'a.txt', content: 'mine\n' })).outcome)).toBe('ok')
  })

  it('SG-12: names what changed since its own last write, and says so where the content is too long to keep', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': READ, 'long.txt': 'line\n'.repeat(100_000) })
    const kit = await workspace.open(WRITE)
    await kit.run('write', { path: 'n.txt', content: 'a\nb\n' })
    workspace.write('n.txt', 'a\nb\nc\n')
    const own = await kit.run('edit', { path: 'n.txt', edits: [{ old: 'a', new: 'A' }] })
    expect(own.outcome.meta.warnings).toEqual([expect.stringContaining('line 3.')])
    await kit.run('read', { path: 'long.txt', from: 1, to: 1 })
    workspace.write('long.txt', `head\n${'line\n'.repeat(100_000)}`)
    const long = await kit.run('edit', { path: 'long.txt', edits: [{ old: 'head', new: 'HEAD' }] })
    expect(long.outcome.meta.warnings).toEqual([expect.stringContaining('read the file to see it')])
  })

  it('SG-12: Edit applies its diff beside the change, and says so', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': READ })
    const context = { cwd: workspace.path, permissions: ['fs:read', 'fs:write'] }
    await createReadTool().execute({ file: 'a.txt' }, context)
    workspace.write('a.txt', `zero\n${READ}`)
    const patch = hunk(' two\n-three\n+THREE\n four\n', '@@ -2,3 +2,3 @@')
    const result = await createEditTool().execute({ file: 'a.txt', patch }, context)
    expect(result).toMatchObject({ ok: true, data: { applied: true }, meta: { warnings: [expect.any(String)] } })
    expect(workspace.read('a.txt')).toBe('zero\none\ntwo\nTHREE\nfour\nfive\n')
  })
})

describe('a file that no one else changed', () => {
  it('CA-06: the first of several matches is replaced, as printed', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'x\nx\n' })
    const kit = await workspace.open(WRITE)
    await kit.run('read', { path: 'a.txt' })
    const { outcome } = await kit.run('replace_string_in_file', replace('x', 'y'), { contract: 'cli-agent' })
    expect([codeOf(outcome), workspace.read('a.txt'), outcome.meta.warnings]).toEqual(['ok', 'y\nx\n', undefined])
  })
})
