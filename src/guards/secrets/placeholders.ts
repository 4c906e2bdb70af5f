import { ToolError } from '../../kernel/error.ts'
import { mapStrings } from './map-strings.ts'
import { once } from '../../kernel/once.ts'

/**
 * `$ENV.` and the longest run of word characters. A backslash or a dollar before it makes it literal text.
 * Letters of other scripts, marks and invisible characters belong to the key, so that a key which only looks like
 * a known one is an unknown key and never a shorter known one.
 */
const placeholder = once(
  () => /(?<![\\$])\$ENV\.([A-Za-z_][\p{L}\p{N}\p{M}\p{Pc}\p{Cf}\p{Default_Ignorable_Code_Point}]*)/gu,
)

/** The keys that the strings of a JSON value name as `$ENV.NAME`, each once, in order; object keys are literal. */
export const findPlaceholders = (value: unknown): string[] => {
  const keys = new Set<string>()
  mapStrings(value, {
    text: text => {
      if (text.includes('$ENV.')) for (const [, key = ''] of text.matchAll(placeholder())) keys.add(key)
      return text
    },
  })
  return [...keys]
}

/**
 * The value with every placeholder replaced by its secret, in one pass: what a secret itself contains is not read again.
 * Throws `unknown_secret` for a key that is not there, so that neither the literal text nor nothing is sent on.
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
