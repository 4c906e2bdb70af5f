import { describe, expect, it } from 'vitest'
import { fixedStorage, type ApprovalStorage, type ApprovalEntry } from './approval-list.ts'

const approval = (id: string, expiresAt?: string): ApprovalEntry => ({
  id,
  tool: 'toolwright/edit',
  scope: 'workspace',
  by: 'ada',
  at: '2020-01-01T00:00:00.000Z',
  ...(expiresAt !== undefined && { expiresAt }),
  enabled: true,
})

describe('fixedStorage', () => {
  it('SG-24: names what is added in order, past names that are taken, and goes by the real time for the rest', () => {
    const kept = [
      approval('n1', '2020-02-01T00:00:00.000Z'),
      approval('n3', '2040-01-01T00:00:00.000Z'),
      approval('n4'),
    ]
    const touched: string[] = []
    const under: ApprovalStorage = {
      list: () => kept,
      add(added, id = 'chance') {
        kept.push({ ...added, id })
        return { ...added, id }
      },
      touch: id => void touched.push(id),
      expire: id => void touched.push(`expired ${id}`),
    }
    let count = 0
    const shelf = fixedStorage(
      under,
      () => `n${++count}`,
      () => Date.UTC(2030, 0, 1),
    )
    expect(shelf.list().map(({ id }) => id)).toEqual(['n3', 'n4'])
    const { id: _id, ...rest } = approval('', '1980-03-01T00:00:00.000Z')
    expect(shelf.add(rest).id).toBe('n2')
    expect(shelf.add(rest).id).toBe('n5')
    expect(shelf.list().map(({ id }) => id)).toEqual(['n3', 'n4', 'n2', 'n5'])
    shelf.touch('n3', '')
    shelf.expire('n4')
    expect(touched).toEqual(['n3', 'expired n4'])
  })
})
