import type { Holder } from './holders.ts'

/** A place of a script that names members of an object without writing them. */
export interface ComputedKey {
  readonly start: number
  readonly end: number
  /** Positions of names, one of which has the type of the object; -1 for an object that has no name. */
  readonly receivers: readonly number[]
  /** The fixed start and end of the name. */
  readonly prefix: string
  readonly suffix: string
  /** It reads one member, lists their names or their values, or is a type of their names. */
  readonly how: 'one' | 'names' | 'values' | 'type'
}

/** The computed keys of a script, and the objects and types with members in it. */
export interface ScriptMembers {
  readonly keys: readonly ComputedKey[]
  readonly holders: readonly Holder[]
}

export const EMPTY_MEMBERS: ScriptMembers = { keys: [], holders: [] }
