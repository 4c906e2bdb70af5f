import { ToolError } from '../../kernel/error.ts'
import { mapStrings } from './map-strings.ts'
import { placeholder } from '../../kernel/placeholder.ts'

/**
 * Returns the keys that the strings of a JSON value name as `$ENV.NAME`, each once, in order; object keys are literal.
 */
export const findPlaceholders = (value: unknown): string[] => {
  const keys = new Set<string>()
  mapStrings(value, {
    text: text => {
      if (text.includes('$ENV.'))
        for (const { 0: placeholderText, 1: key = '', index } of text.matchAll(placeholder())) {
          if (text[index + placeholderText.length] === '\0') throw followedByNul(key)
          keys.add(key)
        }
      return text
    },
  })
  return [...keys]
}

/** Programs end a text at a NUL, so the secret that they see would not be the one we judged. */
const followedByNul = (key: string): ToolError =>
  new ToolError('invalid_input', `A NUL character follows $ENV.${key}`, {
    hint: `Leave it out, or write \\$ENV.${key} for the literal text`,
  })

/**
 * Replaces every placeholder by its secret in one pass, so that a secret's own text is not expanded again. Throws
 * `unknown_secret` for an unknown key, so that neither the literal text nor an empty one is sent.
 */
export const reveal = <T>(value: T, secrets: ReadonlyMap<string, string>): T =>
  mapStrings(value, {
    text: text =>
      text.includes('$ENV.') ? text.replace(placeholder(), (_, key: string) => secretOf(key, secrets)) : text,
  })

const secretOf = (key: string, secrets: ReadonlyMap<string, string>): string => {
  const secret = secrets.get(key)
  if (secret !== undefined) return secret
  throw new ToolError('unknown_secret', `there is no secret named ${JSON.stringify(key)}`, {
    hint: `Give ${key} a value in a secret provider, or write \\$ENV.${key} for the literal text.`,
    details: { key },
  })
}
