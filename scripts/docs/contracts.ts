import * as published from '../../src/contracts.ts'
import type { Engines } from '../../src/engines/engines.ts'
import type { Contract } from '../../src/kernel/contract.ts'

/** Every contract that programs can import, the default one first. */
export const contracts: readonly Contract<Engines>[] = Object.values<unknown>(published)
  .filter(
    (value): value is Contract<Engines> =>
      typeof value === 'object' && value !== null && 'tools' in value && 'envelope' in value,
  )
  .toSorted((one, other) => Number(other === published.toolwright) - Number(one === published.toolwright))
