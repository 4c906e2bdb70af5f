import { describe, expect, it } from 'vitest'
import type { Contract } from '../kernel/contract.ts'
import type { EditEffects, EffectsRules } from '../kernel/edit-effects.ts'
import { askEffects } from './report-effects.ts'
import type { JudgedChange, Opened } from './session.ts'

const NONE = { total: 0, first: [] }
const SOUND: EditEffects = {
  summary: 'no new errors',
  introduced: NONE,
  cured: NONE,
  callers: NONE,
  tests: NONE,
  complete: true,
  left: 0,
  unjudged: [],
}
const BROKEN: EditEffects = {
  ...SOUND,
  introduced: { total: 1, first: [{ path: 'a.ts', line: 1, column: 1, code: 'TS1', message: 'wrong' }] },
}

/** A call whose effects another process judges; `sent` and `judged` say when. */
function asking(rules: Partial<EffectsRules>, signal?: AbortSignal) {
  const sent = Promise.withResolvers<void>()
  const judged = Promise.withResolvers<JudgedChange>()
  const opened: Pick<Opened<object>, 'effects'> = {
    effects({ onSent }) {
      void sent.promise.then(onSent)
      return judged.promise
    },
  }
  const session = { effects: { mode: 'quick', deadlineMs: 50, refuse: 'nothing', ...rules } } as const
  const contract = { tellsEffects: true } as Contract<object>
  const options = signal ? { signal } : {}
  const call = { name: 'edit', input: {}, options }
  const mayLand = askEffects(session, contract, opened as Opened<object>, call)
  let hasLanded = false
  void mayLand.then(
    () => (hasLanded = true),
    () => {},
  )
  /** Reports whether the change may land by now. */
  const lands = async () => {
    await new Promise(setImmediate)
    return hasLanded
  }
  const tell = (effects: EditEffects) => judged.resolve({ effects, lands: true })
  return { sent, judged, tell, mayLand, lands }
}

describe('effects that another process judges', () => {
  it('hold a change back only until the question is sent', async () => {
    const { sent, tell, mayLand, lands } = asking({})
    expect(await lands()).toBe(false)
    sent.resolve()
    expect(await lands()).toBe(true)
    tell(BROKEN)
    expect(await (await mayLand)?.()).toMatchObject({ effects: BROKEN })
  })

  it('are known before a change lands that they may refuse', async () => {
    const { sent, tell, mayLand, lands } = asking({ refuse: 'new-errors' })
    sent.resolve()
    expect(await lands()).toBe(false)
    tell(BROKEN)
    await expect(mayLand).rejects.toMatchObject({ code: 'conflict' })
  })

  it('are known before a change lands if the call asks for all of them, and a cancelled call lands nothing', async () => {
    const cancel = new AbortController()
    const { sent, tell, mayLand, lands } = asking({ mode: 'complete' }, cancel.signal)
    sent.resolve()
    expect(await lands()).toBe(false)
    cancel.abort()
    tell(SOUND)
    await expect(mayLand).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('fail no change that has landed', async () => {
    const { sent, judged, mayLand } = asking({})
    sent.resolve()
    const effects = await mayLand
    judged.reject(new Error('the process is gone'))
    expect(await effects?.()).toBeUndefined()
  })

  it('fail a change that has not, if they cannot be asked about', async () => {
    const { judged, mayLand } = asking({})
    judged.reject(new Error('a file cannot be read'))
    await expect(mayLand).rejects.toThrow('a file cannot be read')
  })
})
