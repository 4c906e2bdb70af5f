import { shapes, type Shape } from './secret-shapes.ts'

interface Detected {
  readonly kind: string
  readonly index: number
  readonly length: number
}

/**
 * Finds texts that are very likely secrets, by their shape alone. Matches are in order and do not overlap. Linear time.
 */
export const detectSecrets = (text: string): Detected[] => {
  const plain = withoutEscapes(text)
  const candidates = possible(plain).flatMap(([shape, places]) => ofShape(plain, shape, places))
  return withoutOverlaps(candidates.toSorted((one, other) => one.index - other.index || other.length - one.length))
}

/**
 * Blanks JSON escapes, so that the letter of an escaped line end or control does not look like the beginning of a word.
 */
const withoutEscapes = (text: string): string => {
  if (!text.includes('\\')) return text
  const plain = text.replace(/\\[nrtbf]/gi, '  ')
  return plain.includes('\\') ? plain.replace(/\\u00[01][0-9a-f]/gi, '      ') : plain
}

interface Hint {
  readonly shape: Shape
  /** The position of the shape. */
  readonly place: number
  /** The characters after the first two. */
  readonly rest: readonly number[]
}

const bothCases = (character: string): ReadonlySet<string> => new Set([character, character.toUpperCase()])

/**
 * Groups the hints by the two characters that they may begin with; the first group is none. `groupOf` has the group of
 * each pair of bytes: a table of numbers, because this is loaded with every call. A function, because V8 compiles a loop
 * at the top of a file together with the whole file.
 */
function groupHints(): { readonly groups: readonly (readonly Hint[])[]; readonly groupOf: Uint8Array } {
  const byPair = new Map<number, Hint[]>()
  for (const [place, shape] of shapes.entries())
    for (const hint of shape.hints) {
      const rest = Array.from(hint.slice(2), character => character.charCodeAt(0))
      for (const one of bothCases(hint.charAt(0)))
        for (const other of bothCases(hint.charAt(1))) {
          const pair = (one.charCodeAt(0) << 8) | other.charCodeAt(0)
          byPair.set(pair, [...(byPair.get(pair) ?? []), { shape, place, rest }])
        }
    }
  const groups: (readonly Hint[])[] = [[]]
  const groupOf = new Uint8Array(1 << 16)
  // Pairs that differ in case usually begin the same hints.
  const groupsByHints = new Map<string, number>()
  for (const [pair, hints] of byPair) {
    const key = hints.map(({ place, rest }) => [place, ...rest].join()).join(';')
    const group = groupsByHints.get(key) ?? groups.push(hints) - 1
    groupsByHints.set(key, group)
    groupOf[pair] = group
  }
  return { groups, groupOf }
}

const { groups, groupOf } = groupHints()
const goesOnWith = thirdBytes()

/** Marks the third bytes of each group's hints, letters in any case: few pairs that begin a hint go on like one. */
function thirdBytes(): Uint8Array {
  const marks = new Uint8Array(groups.length << 8)
  for (const [group, hints] of groups.entries())
    for (const { rest } of hints) {
      const row = group << 8
      const [third] = rest
      if (third === undefined) marks.fill(1, row, row + 256)
      else {
        marks[row | third] = 1
        if (third > 96 && third < 123) marks[row | (third - 32)] = 1
      }
    }
  return marks
}

/**
 * Returns the shapes with a hint in the text, and where their hints are: one look at each pair of characters, and a
 * closer one if a hint may begin. Looks at the lower byte of each character, because bytes take a fraction of the time.
 */
const possible = (text: string): [Shape, number[]][] => {
  const places: (number[] | undefined)[] = []
  const shapesWithPlaces: [Shape, number[]][] = []
  const bytes = Buffer.alloc(text.length + 1)
  bytes.write(text, 'latin1')
  let group = 0
  for (let at = nextHint(bytes, 0); at >= 0; at = nextHint(bytes, at + 1)) {
    if (isBeyondAscii(text, at)) continue
    group = groupOf[((bytes[at] as number) << 8) | (bytes[at + 1] as number)] as number
    for (const { shape, place, rest } of groups[group] ?? []) {
      const shapePlaces = places[place]
      if ((shapePlaces && !shape.near) || !goesOn(text, at + 2, rest) || !isFollowed(shape, text, at)) continue
      if (shapePlaces) shapePlaces.push(at)
      else shapesWithPlaces.push([shape, (places[place] = [at])])
    }
  }
  return shapesWithPlaces
}

/** Returns the next place where a hint may begin, or -1. The last byte is not part of the text. */
const nextHint = (bytes: Uint8Array, from: number): number => {
  let pair = bytes[from] as number
  for (let at = from + 1; at < bytes.length - 1; at += 1) {
    pair = ((pair << 8) | (bytes[at] as number)) & 0xffff
    const group = groupOf[pair] as number
    if (group !== 0 && goesOnWith[(group << 8) | (bytes[at + 1] as number)] === 1) return at - 1
  }
  return -1
}

/** Reports whether one of the pair that begins here only looks like ASCII by its lower byte. */
const isBeyondAscii = (text: string, at: number): boolean => text.charCodeAt(at) > 127 || text.charCodeAt(at + 1) > 127

function lowerCase(code: number): number {
  return code > 64 && code < 91 ? code + 32 : code
}

const goesOn = (text: string, from: number, codes: readonly number[]): boolean => {
  for (let at = 0; at < codes.length; at += 1) if (lowerCase(text.charCodeAt(from + at)) !== codes[at]) return false
  return true
}

const isFollowed = ({ follows }: Shape, text: string, at: number): boolean => {
  if (!follows) return true
  follows.lastIndex = at
  return follows.test(text)
}

/** Searching the surroundings of one hint costs as much as this many characters more. */
const ONE_MORE = 300

/** Searches the whole text, or the surroundings of each hint if all of them together take less. */
const ofShape = (text: string, shape: Shape, places: readonly number[]): Detected[] => {
  const shapeSecrets: Detected[] = []
  const [before, after] = shape.near ?? [0, text.length]
  if (places.length * (before + after + ONE_MORE) >= text.length) search(text, 0, shape, shapeSecrets)
  else
    for (const place of places) {
      const from = Math.max(0, place - before)
      search(text.slice(from, place + after), from, shape, shapeSecrets)
    }
  return shapeSecrets
}

const search = (text: string, from: number, { kind, pattern, assigned, notWords }: Shape, found: Detected[]): void => {
  for (const match of text.matchAll(pattern)) {
    const secret = match.groups?.['secret'] ?? match[0]
    if (notWords && /^[a-z]+$/.test(secret)) continue
    if (!(assigned ? looksAssigned(secret, match.groups?.['quote'] ?? '') : looksReal(secret))) continue
    found.push({ kind, index: from + match.index + match[0].lastIndexOf(secret), length: secret.length })
  }
}

const withoutOverlaps = (sorted: readonly Detected[]): Detected[] => {
  const separateSecrets: Detected[] = []
  let end = 0
  for (const one of sorted) {
    if (one.index < end) continue
    separateSecrets.push(one)
    end = one.index + one.length
  }
  return separateSecrets
}

/** Replaces every such secret in a text by `[redacted:KIND]`. */
export const maskDetected = (text: string): string => {
  const textSecrets = detectSecrets(text)
  if (textSecrets.length === 0) return text
  let copiedTo = 0
  const pieces = textSecrets.map(({ kind, index, length }) => {
    const piece = `${text.slice(copiedTo, index)}[redacted:${kind}]`
    copiedTo = index + length
    return piece
  })
  return pieces.join('') + text.slice(copiedTo)
}

const stand =
  /example|sample|placeholder|change.?me|replace|insert|your[^a-z]|your_?(?:api|key|token|secret|pass)|my[-_](?:api|key|token|secret|pass)|dummy|fake|redacted|todo|xxxx|\*\*\*|\.\.\.|…|abcdefgh|deadbeef|foobar|lorem/i

/** Reports whether a text of a known secret's shape is a secret, and not a placeholder from documentation. */
const looksReal = (secret: string): boolean =>
  !stand.test(secret) && !bare.test(secret) && distinct(secret) >= Math.min(5, Math.ceil(secret.length / 2))

/** A word that names a secret instead of being one. */
const bare = /^(?:password|passwd|passphrase|pass|pwd|pw|secret|token|key|user|username|credentials?)$/i

/**
 * Reports whether the value assigned to a name such as `api_key` is a secret: not code that fetches one, not a word, a
 * path, an identifier or a placeholder, and mixed enough to be random or a password.
 */
const looksAssigned = (value: string, quote: string): boolean => {
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
