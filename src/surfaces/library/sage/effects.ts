import type { Effect } from '../../../kernel/claim.ts'

const EFFECTS = Symbol('effects')

/** Attaches effects to a tool, beside the document's own fields. */
export const withEffects = <T extends object>(effects: readonly Effect[], tool: T): T =>
  Object.defineProperty(tool, EFFECTS, { value: effects, enumerable: false })

/** Reports whether a tool was created here, and so runs in our pipeline. */
export const isOurs = (tool: object): boolean => Reflect.get(tool, EFFECTS) !== undefined

/** Returns the effects of a tool. One created elsewhere may have any. */
export function effectsOf(tool: object): readonly Effect[] {
  const effects: unknown = Reflect.get(tool, EFFECTS)
  return Array.isArray(effects) ? effects : ['read', 'create', 'write', 'exec', 'net']
}
