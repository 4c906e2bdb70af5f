import type { Effect } from '../../../kernel/claim.ts'

const EFFECTS = Symbol('effects')

/** Ties a tool to what it may do, beside the document's own fields. */
export const withEffects = <T extends object>(effects: readonly Effect[], tool: T): T =>
  Object.defineProperty(tool, EFFECTS, { value: effects, enumerable: false })

/** Reports whether a tool was made here, and so runs in our pipeline. */
export const isOurs = (tool: object): boolean => Reflect.get(tool, EFFECTS) !== undefined

/** What a tool may do; one that was not made here may do anything. */
export function effectsOf(tool: object): readonly Effect[] {
  const known: unknown = Reflect.get(tool, EFFECTS)
  return Array.isArray(known) ? known : ['read', 'create', 'write', 'exec', 'net']
}
