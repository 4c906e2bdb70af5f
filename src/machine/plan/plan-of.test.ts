import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PLAN_ITEMS, planOf, type PlanStatus } from './plan-of.ts'

const step = (status: PlanStatus, content = 'Do it', activeForm = 'Doing it') => ({ content, activeForm, status })

describe('planOf', () => {
  it('AA-08: numbers the steps and starts the first pending one', () => {
    const plan = planOf([step('completed'), step('pending'), step('pending')])
    expect(plan.items.map(({ id, status }) => [id, status])).toEqual([
      ['step-1', 'completed'],
      ['step-2', 'in_progress'],
      ['step-3', 'pending'],
    ])
    expect(plan).toMatchObject({ maxItems: 15, currentItem: { id: 'step-2', status: 'in_progress' } })
  })

  it('AA-08: leaves the one in progress alone, also behind a pending one', () => {
    const plan = planOf([step('pending'), step('in_progress')])
    expect(plan.items.map(({ status }) => status)).toEqual(['pending', 'in_progress'])
    expect(plan.currentItem?.id).toBe('step-2')
  })

  it.each([[[]], [[step('completed'), step('completed')]]])(
    'AA-08: has no current item where nothing is left',
    steps => {
      expect(planOf(steps)).toMatchObject({ items: steps, currentItem: null })
    },
  )

  it('AA-08: refuses more than 15 items, and takes 15', () => {
    expect(planOf(Array.from({ length: 15 }, () => step('pending'))).items).toHaveLength(15)
    expect(() => planOf(Array.from({ length: 16 }, () => step('pending')))).toThrow(
      'A plan has at most 15 items, not 16',
    )
  })

  it('AA-08: refuses two in progress, and names them', () => {
    expect(() => planOf([step('in_progress'), step('pending'), step('in_progress')])).toThrow(
      'Only one item can be in_progress, not 2: step-1, step-3',
    )
  })

  it.each([
    ['content', ' ', 'Doing it'],
    ['activeForm', 'Do it', ''],
  ])('AA-08: refuses an empty %s', (field, content, activeForm) => {
    expect(() => planOf([step('pending'), step('pending', content, activeForm)])).toThrow(
      `The ${field} of step-2 is empty`,
    )
  })

  it('AA-08: never has more than one in progress, and one whenever something is pending', () => {
    const status = fc.constantFrom<PlanStatus>('pending', 'in_progress', 'completed')
    fc.assert(
      fc.property(fc.array(status, { maxLength: PLAN_ITEMS }), statuses => {
        fc.pre(statuses.filter(one => one === 'in_progress').length < 2)
        const { items, currentItem } = planOf(statuses.map(one => step(one)))
        const active = items.filter(item => item.status === 'in_progress')
        expect(active).toEqual(currentItem ? [currentItem] : [])
        expect(active.length === 0).toBe(statuses.every(one => one === 'completed'))
        expect(items.map(item => item.status === 'completed')).toEqual(statuses.map(one => one === 'completed'))
      }),
    )
  })
})
