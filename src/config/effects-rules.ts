import type { EffectsRules } from '../kernel/edit-effects.ts'
import type { Merged } from './merge.ts'
import type { SessionOptions } from './session-options.ts'

/** Reports whether answers must be reproducible. */
export const isSameAgain = ({ deterministic, record }: SessionOptions): boolean =>
  deterministic === true || record !== undefined

/** Returns the rules of effects. Reproducible answers report only effects that were waited for. */
export const effectsOf = ({ effects }: Merged['config'], options: SessionOptions): EffectsRules => ({
  ...effects,
  ...(options.effects && { mode: options.effects }),
  ...(isSameAgain(options) && { sameAgain: true }),
})
