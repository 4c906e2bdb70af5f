import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { storedPlan } from './stored-plan.ts'
import type { PlanStep } from './plan-of.ts'

let directory: string
let file: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plan-'))
  file = join(directory, 'plan.json')
})
afterEach(() => rmSync(directory, { recursive: true }))

const STEPS: readonly PlanStep[] = [
  { content: 'Read', activeForm: 'Reading', status: 'completed' },
  { content: 'Write', activeForm: 'Writing', status: 'pending' },
]

describe('keptPlan', () => {
  it('is of one session where no file keeps it', () => {
    const session = {}
    const given = storedPlan(session, STEPS, { isTrial: false })
    expect(storedPlan(session, undefined, { isTrial: false })).toEqual(given)
    expect(storedPlan({}, undefined, { isTrial: false }).items).toEqual([])
  })

  it('is there for a later session where a file keeps it', () => {
    const given = storedPlan({}, STEPS, { isTrial: false, file })
    expect(given.currentItem?.content).toBe('Write')
    expect(storedPlan({}, undefined, { isTrial: false, file })).toEqual(given)
  })

  it('keeps nothing of a plan that is only tried out', () => {
    storedPlan({}, STEPS, { isTrial: true, file })
    expect(storedPlan({}, undefined, { isTrial: false, file }).items).toEqual([])
  })

  it('says that the stored plan is damaged, and takes a new one', () => {
    writeFileSync(file, '{')
    expect(() => storedPlan({}, undefined, { isTrial: false, file })).toThrow('is damaged')
    storedPlan({}, STEPS, { isTrial: false, file })
    expect(storedPlan({}, undefined, { isTrial: false, file }).items).toHaveLength(2)
  })
})
