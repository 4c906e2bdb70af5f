// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import type { Outcome } from '../../src/kernel/outcome.ts'
import { fakePerson } from '../../src/testing/fakes.ts'
import type { Toolkit } from '../../src/toolkit.ts'
import { needs } from '../needs.ts'
import { git, repository } from './git-world.ts'

const it = needs('bubblewrap')

const GRANTED = { permissions: ['exec', 'fs:write'] }

const outcomes = (kit: Toolkit, commands: readonly string[]): Promise<Outcome[]> =>
  Promise.all(commands.map(async command => (await kit.run('run', { command })).outcome))

const stdoutOf = (outcome: Outcome): string => (outcome.ok ? Object(outcome.data).stdout : outcome.error.message)

/** When a command that prints the time at both ends ran. */
function spanOf(outcome: Outcome): { readonly from: number; readonly to: number } {
  const [from = NaN, to = NaN] = stdoutOf(outcome).split('\n').map(Number)
  return { from, to }
}

/** The most that ran at one moment. */
const mostAtOnce = (ended: readonly Outcome[]): number => {
  const spans = ended.map(spanOf)
  return Math.max(...spans.map(({ from }) => spans.filter(one => one.from <= from && from < one.to).length))
}

const TIMED = (work: string): string => `date +%s%N; ${work}; date +%s%N`

describe('commands that are called at the same time', () => {
  it('run at the same time, and all that they change lands', async () => {
    await using workspace = repository({ 'src/a': 'one\n' })
    const kit = await workspace.open(GRANTED)
    const names = Array.from({ length: 6 }, (_one, at) => `out${at}`)
    const all = await outcomes(
      kit,
      names.map(name => TIMED(`sleep 0.6; echo ${name} > ${name}`)),
    )
    expect(all.map(({ ok }) => ok)).toEqual(names.map(() => true))
    expect(mostAtOnce(all)).toBeGreaterThan(2)
    expect(names.map(name => workspace.read(name))).toEqual(names.map(name => `${name}\n`))
    expect(kit.commits()).toHaveLength(6)
  })

  it('run at the same time where they only read, and reading a file does not wait for them', async () => {
    await using workspace = repository({ 'src/a': 'one\n' })
    const kit = await workspace.open({ permissions: ['exec'] })
    await kit.run('run', { command: 'ls' })
    const running = outcomes(
      kit,
      Array.from({ length: 6 }, () => TIMED('sleep 0.8')),
    )
    const order = await Promise.all([
      running.then(() => performance.now()),
      kit.run('read', { path: 'src/a' }).then(() => performance.now()),
    ])
    expect(order[1]).toBeLessThan(order[0])
    expect(mostAtOnce(await running)).toBeGreaterThan(2)
  })

  it('lose nothing where they change the same file: who comes second runs again, over what the first left', async () => {
    await using workspace = repository({ log: '', '.gitignore': 'cache\n', cache: '' })
    const kit = await workspace.open(GRANTED)
    const words = ['a', 'b', 'c', 'd', 'e']
    const all = await outcomes(
      kit,
      words.map(word => `sleep 0.2; echo ${word} >> log; echo ${word} >> cache`),
    )
    expect(all.map(({ ok }) => ok)).toEqual(words.map(() => true))
    for (const file of ['log', 'cache']) expect(workspace.read(file).trim().split('\n').toSorted()).toEqual(words)
    const again = all.filter(({ meta }) => meta.warnings?.some(warning => warning.includes('a second time')))
    expect(again.length).toBeGreaterThan(0)
    expect(again.length).toBeLessThan(words.length)
  })

  it('lose nothing where they make the same directory, or one removes what another fills', async () => {
    await using workspace = repository({ 'old/x': 'x\n', keep: '' })
    const kit = await workspace.open(GRANTED)
    const made = await outcomes(
      kit,
      ['a', 'b', 'c'].map(name => `mkdir -p new; sleep 0.2; echo ${name} > new/${name}`),
    )
    expect(made.map(({ ok }) => ok)).toEqual([true, true, true])
    expect(['a', 'b', 'c'].map(name => workspace.read(`new/${name}`))).toEqual(['a\n', 'b\n', 'c\n'])
    const mixed = await outcomes(kit, ['sleep 0.3; echo y > old/y', 'rm -r old; sleep 1'])
    expect(mixed.map(({ ok }) => ok)).toEqual([true, true])
    // The second ran again over what the first had left: nothing was removed unseen.
    expect(mixed[1]?.meta.warnings).toEqual([expect.stringContaining('a second time')])
    expect(mixed[1]?.meta.changed).toContain('old/y')
  })

  it('commit one after another in git', async () => {
    await using workspace = repository({ a: 'a\n' })
    const kit = await workspace.open(GRANTED)
    const names = ['one', 'two', 'three']
    const all = await outcomes(
      kit,
      names.map(name => `echo ${name} > ${name} && git add ${name} && git commit -qm ${name}`),
    )
    expect(all.map(stdoutOf)).toEqual(['', '', ''])
    expect(git(workspace, 'log', '--format=%s').split('\n').slice(0, 3).toSorted()).toEqual(names.toSorted())
    expect(git(workspace, 'status', '--short')).toBe('')
  })

  it('land one at a time in a transaction, none over another', async () => {
    await using workspace = repository({ log: '' })
    const kit = await workspace.open(GRANTED)
    await kit.run('stage', { action: 'begin' })
    const all = await outcomes(
      kit,
      ['a', 'b', 'c'].map(word => `sleep 0.1; echo ${word} >> log`),
    )
    expect(all.map(({ ok }) => ok)).toEqual([true, true, true])
    await kit.run('stage', { action: 'commit' })
    expect(workspace.read('log')).toBe('a\nb\nc\n')
  })

  it('wait for an edit that came before them, and an edit waits for them', async () => {
    await using workspace = repository({ a: 'one\n' })
    const kit = await workspace.open(GRANTED)
    const begun = Promise.withResolvers<void>()
    const [edited, ran, after] = await Promise.all([
      kit.run('edit', { path: 'a', edits: [{ old: 'one', new: 'two' }] }),
      kit.run('run', { command: 'echo begun; sleep 0.3; cat a; echo three > a' }, { onOutput: () => begun.resolve() }),
      begun.promise.then(() => kit.run('edit', { path: 'a', edits: [{ old: 'three', new: 'four' }] })),
    ])
    expect([edited.outcome.ok, stdoutOf(ran.outcome), after.outcome.ok]).toEqual([true, 'begun\ntwo\n', true])
    expect(workspace.read('a')).toBe('four\n')
  })

  it('are asked about one at a time when they land', async () => {
    await using workspace = repository({ log: '' })
    const person = fakePerson('yes')
    const kit = await workspace.open({ permissions: ['exec'], approve: person })
    const all = await outcomes(
      kit,
      ['a', 'b', 'c'].map(word => `sleep 0.2; echo ${word} >> log`),
    )
    expect(all.map(({ ok }) => ok)).toEqual([true, true, true])
    expect(workspace.read('log').trim().split('\n').toSorted()).toEqual(['a', 'b', 'c'])
    expect(person.asked).toHaveLength(3)
  })

  it('leave nothing behind where one is given up while it waits for its turn', async () => {
    await using workspace = repository({ log: '' })
    const answered = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const kit = await workspace.open({
      permissions: ['exec'],
      async approve() {
        asked.resolve()
        await answered.promise
        return { answer: 'yes', by: 'me' }
      },
    })
    const first = kit.run('run', { command: 'echo a > a' })
    await asked.promise
    const controller = new AbortController()
    const second = kit.run(
      'run',
      { command: 'echo b > b; echo done' },
      {
        signal: controller.signal,
        onOutput: ({ text }) => text.includes('done') && setTimeout(() => controller.abort(), 200),
      },
    )
    expect((await second).outcome).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    answered.resolve()
    expect((await first).outcome.ok).toBe(true)
    expect(Object.keys(workspace.snapshot()).filter(name => !name.startsWith('.git'))).toEqual(['a', 'a.txt', 'log'])
    expect((await kit.run('run', { command: 'echo c > c' })).outcome.ok).toBe(true)
  })
})
