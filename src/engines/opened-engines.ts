import type { Change } from '../kernel/change.ts'
import type { LandedPart } from '../kernel/hunks.ts'
import type { CallEffects } from '../knowledge/code/effects/call-effects.ts'
import type { Landed } from '../machine/workspace/land.ts'
import type { Engines } from './engines.ts'

/** The engines of one call. */
export interface OpenedEngines {
  readonly engines: Engines
  given(): void
  changes(): readonly Change[]
  content(): readonly Change[]
  repository(): readonly Change[]
  rewritten(): readonly string[]
  accept(hunks: readonly number[]): readonly LandedPart[]
  effects: CallEffects['judged']
  ensureStarts(): Promise<void>
  commit(id: string): Promise<Landed>
  previewWarnings(): readonly string[]
  unstaged(): Promise<readonly unknown[]>
  keep(plan: string): Promise<boolean>
  close(): Promise<void> | undefined
}
