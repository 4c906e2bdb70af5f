import { describe, expect, it } from 'vitest'
import { allContracts, loadForCall } from './load-contract.ts'
import { isPublished } from './published.ts'

describe('a contract of ours', () => {
  it('is known as such, loaded whole or for one call, and a copy of it with other tools is not', async () => {
    const contracts = await allContracts()
    expect(contracts.filter(contract => !isPublished(contract))).toEqual([])
    expect(isPublished(await loadForCall('toolwright', 'read'))).toBe(true)
    for (const contract of contracts) expect(isPublished({ ...contract, tools: [] })).toBe(false)
  })
})
