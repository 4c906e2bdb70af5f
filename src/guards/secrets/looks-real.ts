const stand =
  /example|sample|placeholder|change.?me|replace|insert|your[^a-z]|your_?(?:api|key|token|secret|pass)|my[-_](?:api|key|token|secret|pass)|dummy|fake|redacted|todo|xxxx|\*\*\*|\.\.\.|…|abcdefgh|deadbeef|foobar|lorem/i

/** Reports whether a text of a known secret's shape is a secret, and not a placeholder from documentation. */
export const looksReal = (secret: string): boolean =>
  !stand.test(secret) && !bare.test(secret) && distinct(secret) >= Math.min(5, Math.ceil(secret.length / 2))

/** A word that names a secret instead of being one. */
const bare = /^(?:password|passwd|passphrase|pass|pwd|pw|secret|token|key|user|username|credentials?)$/i

/**
 * Reports whether the value assigned to a name such as `api_key` is a secret: not code that fetches one, not a word, a
 * path, an identifier or a placeholder, and mixed enough to be random or a password.
 */
export const looksAssigned = (value: string, quote: string): boolean => {
  if (!looksReal(value)) return false
  if (code.test(value) || publicValue.test(value) || /^(?:[./~]|https?:|file:|\w:\\)/i.test(value)) return false
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter(kind => kind.test(value)).length
  if (!/\d/.test(value)) return quote !== '' && kinds >= 3 && value.length >= 12 && entropy(value) > 3.2
  if (/^\d+$/.test(value) || identifier.test(value) || (quote === '' && camel.test(value))) return false
  return kinds >= 2 && entropy(value) >= (value.length >= 20 ? 3 : 2.5)
}

/** Calls, lookups, templates and types. */
const code =
  /^[$<{[(%]|[({[].*[)}\]]$|\w\(|\$\{|\{\{|process\.env|import\.meta|os\.environ|getenv|^(?:env|config|self|this|settings|ctx|req|args|options|params|props|process|os|ENV)[.[]|^\w+(?:\.[a-z]\w*)+$/

/** Words and numbers joined, such as the name of a stored secret. */
const identifier = /^(?:[A-Za-z]{2,}|\d{1,4})(?:[-_./:](?:[A-Za-z]+|v?\d{1,4}))+$/
const camel = /^[A-Za-z][a-z]+(?:[A-Z][a-z]+)*\d{0,2}$/

/** Hashes, identifiers and versions, which are long and random but public. */
const publicValue =
  /^(?:sha(?:1|256|384|512)[-:]|md5[-:]|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$|v?\d+\.\d+\.\d+|data:|arn:|urn:|#[0-9a-f]{3,8}$|\d{4}-\d\d-\d\d)/i

const distinct = (text: string): number => new Set(text.slice(0, 512)).size

/** Returns the bits per character, by the frequency of each one. */
const entropy = (text: string): number => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
