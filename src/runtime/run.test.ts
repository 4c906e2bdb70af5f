import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { NO_EFFECTS } from '../guards/judgement.ts'
import { makePolicy, NO_POWER } from '../guards/policy/policy.ts'
import type { Change } from '../kernel/change.ts'
import { reads, writes } from '../kernel/claim.ts'
import type { Contract } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import { toolFactory } from '../kernel/tool.ts'
import { fixedClock } from './clock.ts'
import { createQuestions } from './questions.ts'
import { createRegistry } from './registry.ts'
import type { CallOptions } from './call-options.ts'
import { run } from './run.ts'
import { createSchedule } from './schedule.ts'
import type { Session } from './session.ts'

interface Fakes {
  touch(text: string): void
}

let steps: string[]
let records: Record<string, unknown>[]
beforeEach(() => {
  steps = []
  records = []
  studied = Promise.withResolvers()
})

const CHANGE: Change = { path: 'a', kind: 'change', before: '1', after: '2', diff: () => 'the diff' }

const write = toolFactory<Fakes>()({
  name: 'write',
  version: '1.0.0',
  description: 'Writes a',
  input: z.strictObject({ text: z.string() }),
  output: z.strictObject({ done: z.string() }),
  effects: ['write'],
  claims() {
    steps.push('claims')
    return writes('a')
  },
  run({ text }, engines) {
    engines.touch(text)
    return { done: text }
  },
  examples: [],
})
const look = toolFactory<Fakes>()({ ...write, name: 'look', effects: ['read'], claims: () => reads('a') })

let studied: PromiseWithResolvers<void>
const study = toolFactory<Fakes>()({
  ...look,
  name: 'study',
  yields: true,
  run: async ({ text }) => studied.promise.then(() => ({ done: text })),
})

const short = { done: 'x' }
const careless = toolFactory<Fakes>()({ ...look, name: 'careless', run: () => ({ ...short, more: 1 }) })
const trusted = toolFactory<Fakes>()({ ...careless, name: 'trusted', trusted: true })
const reordered = toolFactory<Fakes>()({
  name: 'reordered',
  version: '1.0.0',
  description: 'Answers in another order than its schema',
  input: z.strictObject({ text: z.string() }),
  output: z.strictObject({ done: z.string(), more: z.number() }),
  trusted: true,
  effects: ['read'],
  claims: () => reads('a'),
  run: () => ({ more: 1, ...short }),
  examples: [],
})

const contract: Contract<Fakes> = {
  id: 'fake',
  tools: [write, look, study, careless, trusted, reordered],
  codes: Object(new Proxy({}, { get: (_, code) => String(code) })),
  envelope(_call, outcome) {
    steps.push('envelope')
    return outcome.ok ? outcome.data : outcome.error.code
  },
}

/** A session whose every part tells when its turn came. */
function sessionWith(more: Partial<Session<Fakes>> = {}): Session<Fakes> {
  const clock = fixedClock()
  const questions = createQuestions(clock)
  questions.attach(() => {
    steps.push('asked')
    return { answer: 'yes', by: 'me' }
  })
  return {
    id: 'S',
    task: 'default',
    account: 'default',
    workspace: 'W',
    clock,
    policy: makePolicy(),
    answerBytes: 1_000,
    checksAnswers: false,
    budgets: () => [{ tool: '*', calls: 1 }],
    timeout: (_tool, own) => own,
    loadMs: 1_000,
    demands: [() => void steps.push('workflow')],
    history: [],
    questions,
    approvals: {
      list: async () => [],
      add: approval => ({ ...approval, id: 'new' }),
      touch() {},
    },
    approvalMs: 1_000,
    effects: NO_EFFECTS,
    secrets: {
      async get(key) {
        steps.push(`secret ${key}`)
        return 'a-secret-of-some-length'
      },
    },
    revealed: new Map(),
    schedule: createSchedule(),
    machine: {
      facts: { undoPaths: () => [] },
      canonical: claims => claims,
      open(_claims, { preview }) {
        steps.push(preview ? 'open for a look' : 'open')
        return {
          engines: { touch: text => void steps.push(`run ${text}`) },
          changes: () => [CHANGE],
          commit(id) {
            steps.push('commit')
            return { undo: id }
          },
        }
      },
      spent: () => 0,
      tell() {},
      tellApart() {},
      keep: () => 'kept',
      intend() {},
      record(entry) {
        steps.push('record')
        records.push({ ...entry })
      },
      reserve() {
        steps.push('reserve')
        return {
          take(bytes) {
            steps.push(`take ${bytes}`)
            return bytes
          },
          release: () => void steps.push('release'),
        }
      },
    },
    ...more,
  }
}

const call = (session: Session<Fakes>, name: string, input: unknown, options: CallOptions = {}) =>
  run(session, { contract, registry: createRegistry(contract.tools) }, { name, input }, options)

describe('one call', () => {
  it('takes its steps in this order and in no other', async () => {
    const { answer } = await call(sessionWith(), 'write', { text: '$ENV.KEY' })
    expect(answer).toEqual({ done: '[redacted:KEY]' })
    expect(steps).toEqual([
      'claims',
      'workflow',
      'open for a look',
      'run $ENV.KEY',
      'asked',
      'reserve',
      'secret KEY',
      'open',
      'run a-secret-of-some-length',
      expect.stringMatching(/^take \d+$/),
      'commit',
      'release',
      'record',
      'envelope',
    ])
  })

  it('opens, asks, reserves and reveals nothing where policy denies', async () => {
    const session = sessionWith({ policy: makePolicy({ defaults: NO_POWER }) })
    expect((await call(session, 'write', { text: '$ENV.KEY' })).answer).toBe('denied')
    expect(steps).toEqual(['claims', 'workflow', 'record', 'envelope'])
  })

  it('claims nothing where the input or the name is wrong', async () => {
    expect((await call(sessionWith(), 'write', { txt: 1 })).answer).toBe('invalid_input')
    expect((await call(sessionWith(), 'nope', {})).answer).toBe('unknown_tool')
    expect(steps).toEqual(['record', 'envelope', 'record', 'envelope'])
    expect(records).toMatchObject([
      { tool: 'fake/write', input: { txt: 1 }, ok: false },
      { tool: 'fake/nope', ok: false },
    ])
  })

  it('reserves and reveals nothing where the person says no', async () => {
    const questions = createQuestions(fixedClock())
    questions.attach(() => ({ answer: 'no', by: 'you' }))
    const { outcome } = await call(sessionWith({ questions }), 'write', { text: '$ENV.KEY' })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'rejected' }, meta: { changed: [] } })
    expect(steps).not.toContain('reserve')
    expect(steps).not.toContain('secret KEY')
    expect(steps).not.toContain('commit')
  })

  it('gives its place in the budget back, whatever happens', async () => {
    const session = sessionWith()
    const machine = {
      ...session.machine,
      open: () => {
        throw new ToolError('io', 'the disk is gone')
      },
    }
    const allowed = makePolicy({ permissions: ['fs:write'] })
    expect((await call({ ...session, machine, policy: allowed }, 'write', { text: 'x' })).answer).toBe('io')
    expect(steps).toEqual(['claims', 'workflow', 'reserve', 'release', 'record', 'envelope'])
  })

  it('commits nothing in a dry run, where a budget is spent, or where the answer is wrong', async () => {
    const policy = makePolicy({ permissions: ['fs:write'] })
    const dry = await call(sessionWith({ policy }), 'write', { text: 'x' }, { dryRun: true })
    expect(dry.outcome.meta).toMatchObject({ dryRun: true, changed: ['a'], diff: 'the diff', plan: expect.any(String) })
    const session = sessionWith({ policy })
    const spent = {
      take() {
        throw new ToolError('budget_exceeded', 'spent')
      },
      release: () => void steps.push('release'),
    }
    const machine = { ...session.machine, reserve: () => spent }
    expect((await call({ ...session, machine }, 'write', { text: 'x' })).answer).toBe('budget_exceeded')
    expect((await call(session, 'write', { text: 'x' }, { plan: 'plan-of-something-else' })).answer).toBe('conflict')
    expect(steps).not.toContain('commit')
  })

  it('looks for no change where a tool only reads, and gives it no secret', async () => {
    const { answer } = await call(sessionWith(), 'look', { text: '$ENV.KEY' })
    expect(answer).toEqual({ done: '$ENV.KEY' })
    expect(steps).not.toContain('secret KEY')
    expect(steps).not.toContain('commit')
    expect(records[0]).toMatchObject({ changed: [] })
  })

  it('withholds the answer where the record cannot be written', async () => {
    const session = sessionWith({ policy: makePolicy({ permissions: ['fs:write'] }) })
    const machine = {
      ...session.machine,
      record() {
        throw new Error('ENOSPC')
      },
    }
    const { answer, outcome } = await call({ ...session, machine }, 'write', { text: 'x' })
    expect(answer).toBe('io')
    expect(outcome).toMatchObject({ ok: false, error: { details: { changed: ['a'], undo: expect.any(String) } } })
  })

  it('never throws, whatever a part of it does', async () => {
    for (const broken of [
      { budgets: () => Object(undefined).x.y },
      { approvals: { ...sessionWith().approvals, list: () => Promise.reject(new Error('the file is gone')) } },
      { secrets: { get: () => Promise.reject(new Error('the vault is closed')) } },
    ])
      expect((await call(sessionWith(broken), 'write', { text: '$ENV.KEY' })).answer).toBe('internal')
    expect(steps).not.toContain('commit')
  })

  it.each([
    ['careless', 'invalid_result', 'invalid_result'],
    ['trusted', { done: 'x', more: 1 }, 'invalid_result'],
    // The order of the schema is what a client has always got.
    ['reordered', { done: 'x', more: 1 }, 'invalid_result'],
  ])(
    'matches the answer of %s with its schema unless it is trusted, and always in tests',
    async (name, now, tested) => {
      expect((await call(sessionWith(), name, { text: 'x' })).answer).toEqual(now)
      expect((await call(sessionWith({ checksAnswers: true }), name, { text: 'x' })).answer).toBe(tested)
    },
  )

  it('changes a file while a tool that yields still reads it', async () => {
    const session = sessionWith()
    const studying = call(session, 'study', { text: 'x' })
    expect((await call(session, 'write', { text: 'y' })).answer).toEqual({ done: 'y' })
    studied.resolve()
    expect((await studying).answer).toEqual({ done: 'x' })
  })

  it('remembers the calls of a session for the order of work', async () => {
    const session = sessionWith()
    await call(session, 'look', { text: 'x' })
    await call(session, 'nope', {})
    expect(session.history).toEqual([
      { tool: 'fake/look', ok: true },
      { tool: 'fake/nope', ok: false },
    ])
  })
})
