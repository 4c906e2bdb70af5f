// oxlint-disable vitest/no-standalone-expect -- some tests are given by `needs`, which the rule does not see
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { connect, type ConnectOptions, type Shown } from './connect.ts'

const WORDS = ['one', 'two', 'three', 'four', 'five']

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': `${WORDS.join('\n')}\n`, 'b.txt': 'b\n' })
})
afterEach(() => workspace.remove())

const edit = (word: string, next = word.toUpperCase(), path = 'a.txt') => ({ path, edits: [{ old: word, new: next }] })

/** A person who sees one question after another, and answers with `answer`. */
function reader(answer: (shown: Shown) => 'yes' | 'no' | 'always') {
  const shown: Shown[] = []
  let [open, mostOpen] = [0, 0]
  const elicit: NonNullable<ConnectOptions['elicit']> = async question => {
    shown.push(question)
    mostOpen = Math.max(mostOpen, ++open)
    await pause(20)
    open--
    return { action: 'accept', content: { answer: answer(question) } }
  }
  return { elicit, shown, mostOpen: () => mostOpen }
}

const diffOf = ({ fields }: Shown): string => Object(fields).answer.description

describe.each<NonNullable<ConnectOptions['protocol']>>(['modern', '2025-06-18'])(
  'edits of one file at the same time in the protocol %s',
  protocol => {
    it('are asked about one after another, each with what the one before left, and all that are approved land', async () => {
      const person = reader(() => 'yes')
      await using server = await connect(workspace, { protocol, elicit: person.elicit })
      const answers = await Promise.all(WORDS.map(word => server.call('edit', edit(word))))
      expect(answers.map(({ isError }) => isError)).toEqual(WORDS.map(() => false))
      expect(workspace.read('a.txt')).toBe('ONE\nTWO\nTHREE\nFOUR\nFIVE\n')
      expect([person.shown.length, person.mostOpen()]).toEqual([5, 1])
      // Every word that was approved before is there already.
      const known: string[] = []
      for (const question of person.shown) {
        const diff = diffOf(question)
        const added = WORDS.find(word => diff.includes(`+${word.toUpperCase()}`)) ?? ''
        for (const word of known) expect(diff).not.toContain(` ${word}\n`)
        known.push(added)
      }
      expect(known.toSorted()).toEqual(WORDS.toSorted())
    })

    it('do not wait for one that was refused, and leave it out', async () => {
      const person = reader(({ message }) => (message.includes('+THREE') ? 'no' : 'yes'))
      await using server = await connect(workspace, { protocol, elicit: person.elicit })
      const answers = await Promise.all(WORDS.map(word => server.call('edit', edit(word))))
      expect(answers.map(({ isError }) => isError)).toEqual([false, false, true, false, false])
      expect(workspace.read('a.txt')).toBe('ONE\nTWO\nthree\nFOUR\nFIVE\n')
    })

    it('are asked about once where the answer is always', async () => {
      const person = reader(() => 'always')
      await using server = await connect(workspace, { protocol, elicit: person.elicit })
      const answers = await Promise.all(WORDS.map(word => server.call('edit', edit(word))))
      expect(answers.map(({ isError }) => isError)).toEqual(WORDS.map(() => false))
      expect(workspace.read('a.txt')).toBe('ONE\nTWO\nTHREE\nFOUR\nFIVE\n')
      expect(person.shown).toHaveLength(1)
    })
  },
)

describe('a question about a file', () => {
  it('keeps neither other files nor readers waiting', async () => {
    const answered = Promise.withResolvers<void>()
    await using server = await connect(workspace, {
      async elicit({ message }) {
        if (message.includes('a.txt')) await answered.promise
        return { action: 'accept', content: { answer: 'yes' } }
      },
    })
    const waiting = server.call('edit', edit('one'))
    expect((await server.call('edit', edit('b', 'c', 'b.txt'))).isError).toBe(false)
    expect((await server.call('read', { path: 'a.txt' })).text).toContain('1\tone')
    answered.resolve()
    expect((await waiting).isError).toBe(false)
    expect([workspace.read('a.txt').slice(0, 3), workspace.read('b.txt')]).toEqual(['ONE', 'c\n'])
  })

  it('is not asked any more when its call was cancelled while another one waited for its answer', async () => {
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const person: Shown[] = []
    await using server = await connect(workspace, {
      protocol: '2025-06-18',
      async elicit(shown) {
        person.push(shown)
        asked.resolve()
        await answered.promise
        return { action: 'accept', content: { answer: 'yes' } }
      },
    })
    const first = server.call('edit', edit('one'))
    await asked.promise
    const controller = new AbortController()
    const second = server.call('edit', edit('two'), { signal: controller.signal })
    const third = server.call('edit', edit('three'))
    await pause(50)
    controller.abort()
    await expect(second).rejects.toThrow(/abort/i)
    answered.resolve()
    expect([(await first).isError, (await third).isError]).toEqual([false, false])
    expect(workspace.read('a.txt')).toBe('ONE\ntwo\nTHREE\nfour\nfive\n')
    expect(person).toHaveLength(2)
  })
})

describe('edits of one file at the same time by a program', () => {
  it('all land, each approved with its own diff', async () => {
    const shown: string[] = []
    const kit = await workspace.open({
      async approve({ card }) {
        shown.push(card.changes.map(change => change.diff()).join(''))
        await pause(5)
        return { answer: 'yes', by: 'me' }
      },
    })
    await kit.run('read', { path: 'a.txt' })
    const ran = await Promise.all(WORDS.map(word => kit.run('edit', edit(word))))
    expect(ran.map(({ outcome }) => outcome.ok)).toEqual(WORDS.map(() => true))
    expect(workspace.read('a.txt')).toBe('ONE\nTWO\nTHREE\nFOUR\nFIVE\n')
    expect(shown[4]).toContain(' FOUR\n-five\n+FIVE\n')
  })
})

describe('commands at the same time over MCP', () => {
  needs('bubblewrap')('run at the same time', async () => {
    await using server = await connect(workspace, { args: ['--allow', 'exec', '--allow', 'fs:write:**'] })
    const spans = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { structured } = await server.call('run', { command: 'date +%s%N; sleep 0.5; date +%s%N' })
        return structured.data.stdout.split('\n').map(Number)
      }),
    )
    const atOnce = spans.map(([from]) => spans.filter(([begun, ended]) => begun <= from && from < ended).length)
    expect(Math.max(...atOnce)).toBeGreaterThan(2)
  })
})
