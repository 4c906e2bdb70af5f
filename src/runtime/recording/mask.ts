import { maskDetected } from '../../guards/secrets/detect.ts'
import { mapStrings } from '../../guards/secrets/map-strings.ts'
import { redactorFor } from '../redact-outcome.ts'

/** Removes the secrets of a session, and what looks like one, from a packed value; the same value if there is none. */
export function maskIn<T>(value: T, revealedSecrets: ReadonlyMap<string, string>): T {
  const clean = redactorFor(revealedSecrets).value(value)
  const text = JSON.stringify(clean)
  if (text === undefined) return clean
  const maskedText = maskDetected(text)
  return maskedText === text ? clean : reread(maskedText, clean)
}

/** Masks string by string if a mask fell across JSON syntax. */
function reread<T>(masked: string, clean: T): T {
  try {
    return JSON.parse(masked)
  } catch {
    return mapStrings(clean, { text: maskDetected, key: maskDetected })
  }
}
