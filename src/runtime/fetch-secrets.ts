import { findPlaceholders } from '../guards/secrets/placeholders.ts'
import type { Action, Claim } from '../kernel/claim.ts'
import { ToolError } from '../kernel/error.ts'
import type { SecretProvider } from '../kernel/secret.ts'
import { loadRedactor } from './redact-outcome.ts'
import type { Session } from './session.ts'

/** Returns the values of these secrets. Each is noted as revealed before any use. */
export async function fetchSecrets<Engines>(
  session: Session<Engines>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  await loadRedactor()
  const values = new Map<string, string>()
  for (const key of keys) {
    const value = await session.secrets?.get(key)
    // A foreign provider may return null, or no text.
    if (typeof value !== 'string')
      throw new ToolError('unknown_secret', `No secret named '${key}'`, {
        hint: `Give the secret provider a value for ${key}, or write \\$ENV.${key} for the literal text`,
      })
    // An empty value would be sent as nothing, and could not be recognized in an answer.
    if (value.trim() === '')
      throw new ToolError('unknown_secret', `The secret '${key}' is empty`, {
        hint: `Give the secret provider a value for ${key}, or write \\$ENV.${key} for the literal text`,
      })
    values.set(key, value)
    noteRevealed(session.revealed, key, value)
  }
  return values
}

/** Redacts all values of a vault that can list its keys from the first call on, not only after a request for one. */
export async function learnSecrets<Engines>(session: Session<Engines>, provider: SecretProvider): Promise<void> {
  const earlierLearning = learningBySession.get(session)
  // A second call that begins at once waits too: neither may answer before all values are known.
  if (earlierLearning) return earlierLearning
  const learning = learnVault(session.revealed, provider).catch(cause => {
    learningBySession.delete(session)
    throw cause
  })
  learningBySession.set(session, learning)
  return learning
}

const learningBySession = new WeakMap<object, Promise<void>>()

/** Notes every value of a vault that can list its keys. */
export async function learnVault(revealedSecrets: Map<string, string>, provider: SecretProvider): Promise<void> {
  if (!('keys' in provider) || typeof provider.keys !== 'function') return
  try {
    const keys: readonly string[] = await provider.keys()
    if (keys.length > 0) await loadRedactor()
    for (const key of keys) {
      const value = await provider.get(key)
      if (typeof value === 'string') noteRevealed(revealedSecrets, key, value)
    }
  } catch (cause) {
    // An unreadable vault reveals nothing. A call that names one of its secrets gets the reason.
    if (!(cause instanceof ToolError)) throw cause
  }
}

/** Notes a secret that is used without a call having named it, before any result of it is visible. */
export async function learnSecret(revealedSecrets: Map<string, string>, key: string, value: string): Promise<void> {
  await loadRedactor()
  noteRevealed(revealedSecrets, key, value)
}

/** A value that a provider no longer returns is still a secret, so the new one gets a name beside it. */
function noteRevealed(revealedSecrets: Map<string, string>, key: string, value: string): void {
  for (let count = 1; ; count++) {
    const name = count === 1 ? key : `${key}#${count}`
    const earlierValue = revealedSecrets.get(name)
    if (earlierValue === undefined) revealedSecrets.set(name, value)
    if (earlierValue === undefined || earlierValue === value) return
  }
}

/** Refuses secrets in paths, because a path is judged, shown and journaled as it is written. */
export function ensurePlainPaths(claims: readonly Claim[], secrets: readonly string[]): void {
  if (secrets.length === 0) return
  const pathClaim = claims.find(
    ({ action, resource }) => FILES.has(action) && findPlaceholders(resource).some(key => secrets.includes(key)),
  )
  if (pathClaim)
    throw new ToolError('invalid_input', `A secret cannot be part of a path: '${pathClaim.resource}'`, {
      hint: 'Write the path out; $ENV.NAME is not replaced in paths. \\$ENV.NAME is the literal text',
    })
}

const FILES: ReadonlySet<Action> = new Set(['read', 'create', 'write'])

export { findPlaceholders, reveal } from '../guards/secrets/placeholders.ts'
