import type { Claim, Effect } from '../kernel/claim.ts'

interface Affecting {
  readonly effects: readonly Effect[]
}

/** Whether any call of a tool can leave files changed. */
export const mutates = ({ effects }: Affecting): boolean =>
  effects.includes('write') || effects.includes('create') || effects.includes('exec')

/** A tool that only reads gets no secret: a search for one would tell whether a guess is right. */
export const mayReveal = ({ effects }: Affecting): boolean => effects.some(effect => effect !== 'read')

/** What a dry run does for real: it changes no file, but what it reads, runs, requests and reveals is no less real in one. */
export const really = ({ action }: Claim): boolean => action !== 'create' && action !== 'write'

/** A value spliced into a command is code as soon as it holds a quote, so that a command gets its secrets apart. */
export const isCommand = ({ action }: Claim): boolean => action === 'exec'

export const isRead = ({ action }: Claim): boolean => action === 'read'
