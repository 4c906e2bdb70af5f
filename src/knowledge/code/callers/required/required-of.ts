import { ToolError } from '../../../../kernel/error.ts'
import type { CodeParts } from '../../code-parts.ts'
import { within, type Deadline } from '../../servers/deadline.ts'
import type { AskedServer } from '../../servers/types.ts'
import { scriptsOf } from './linked-scripts.ts'
import type { RequiredPlace } from './places-in.ts'
import { requiredPlaces } from './required-places.ts'
import { settledPlaces, type Target } from './settled-places.ts'

/** What one question learns of uses by `require`. */
export interface RequiredUses {
  /** Those that are surely meant. */
  of(name: string, target: Target): Promise<readonly RequiredPlace[]>
  /** Some places were not told, because nobody knows what is meant there or the time was over. */
  isPartial(): boolean
}

/** What is left of the time for whoever answers then. */
const SPARE_MS = 100

export function requiredOf(parts: CodeParts, deadline: Deadline, server: AskedServer): RequiredUses {
  let isPartial = false
  const before = { ...deadline, at: deadline.at - SPARE_MS }
  const scripts = scriptsOf(parts)
  const late = () => new ToolError('timeout', 'Not every script could be looked at in time')
  return {
    isPartial: () => isPartial,
    async of(name, target) {
      try {
        const found = await within(before, requiredPlaces(parts, target.path, name, scripts), late)
        const places = await settledPlaces(found, target, server)
        isPartial ||= places.some(({ kind }) => kind === 'unsure')
        return places.filter(({ kind }) => kind !== 'unsure')
      } catch (error) {
        if (!(error instanceof ToolError) || error.code !== 'timeout') throw error
        isPartial = true
        return []
      }
    },
  }
}
