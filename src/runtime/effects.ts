import type { Effect } from '../kernel/claim.ts'

interface Affecting {
  readonly effects: readonly Effect[]
}

/** Whether any call of a tool can leave files changed. */
export const mutates = ({ effects }: Affecting): boolean =>
  effects.includes('write') || effects.includes('create') || effects.includes('exec')

/** A tool that only reads gets no secret: a search for one would tell whether a guess is right. */
export const mayReveal = ({ effects }: Affecting): boolean => effects.some(effect => effect !== 'read')
