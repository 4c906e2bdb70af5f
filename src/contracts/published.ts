import type { Engines } from '../engines/engines.ts'
import type { Contract } from '../kernel/contract.ts'

const ours = new WeakSet<Contract<Engines>>()

/** Marks a contract as published by us: its tools use only engines that they declare. */
export function published<Of extends Contract<Engines>>(contract: Of): Of {
  ours.add(contract)
  return contract
}

/** Reports whether a contract is published by us. A copy with other tools is not. */
export const isPublished = (contract: Contract<Engines>): boolean => ours.has(contract)
