import { maskDetected } from '../../guards/secrets/detect.ts'
import { mapStrings } from '../../guards/secrets/map-strings.ts'
import { redactorFor } from '../redact-outcome.ts'

/** Takes the secrets of a session out of a packed value, and what looks like one; the same value if there is none. */
export function maskIn<T>(value: T, revealed: ReadonlyMap<string, string>): T {
  const clean = redactorFor(revealed).value(value)
  const text = JSON.stringify(clean)
  if (text === undefined) return clean
  const masked = maskDetected(text)
  return masked === text ? clean : reread(masked, clean)
}

/** A mask that fell across the marks of JSON is put on string by string instead. */
function reread<T>(masked: string, clean: T): T {
  try {
    return JSON.parse(masked)
  } catch {
    return mapStrings(clean, { text: maskDetected, key: maskDetected })
  }
}
