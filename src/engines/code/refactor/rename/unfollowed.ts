import { isComponent } from '../../callers/required/script-requests.ts'
import type { Use } from '../remove/uses-of.ts'

const SHOWN = 10

/** What is said of uses in components, which are not followed. */
export function unfollowed(name: string, uses: readonly Use[]): readonly string[] {
  const places = [...new Set(uses.filter(({ path }) => isComponent(path)).map(({ path, line }) => `${path}:${line}`))]
  if (places.length === 0) return []
  const more = places.length > SHOWN ? ` and ${places.length - SHOWN} more` : ''
  return [`Components are not followed, and write '${name}' in ${places.slice(0, SHOWN).join(', ')}${more}`]
}
