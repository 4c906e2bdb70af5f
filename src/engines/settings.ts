import type { z } from 'zod'
import { documentation } from '../knowledge/documentation/settings.ts'

/**
 * Settings of engines in the configuration, by the name of the engine. Only the user's own file can set them: what an
 * engine reaches is no choice of a repository.
 */
export const ENGINE_SETTINGS = { documentation } as const

export type EngineSettings = {
  readonly [Name in keyof typeof ENGINE_SETTINGS]?: z.output<(typeof ENGINE_SETTINGS)[Name]> | undefined
}
