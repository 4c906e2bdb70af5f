/** Options to read the file name of a `---` or `+++` line or a rename header by git's rules; bytes as latin-1. */
interface NameOptions {
  /** Number of leading components to drop. */
  readonly strip: number
  /** End of the name, if not at the first blank that can end one. */
  readonly end?: number
  /** A tab ends the name: a time follows. */
  readonly tab?: boolean
}

export function headerName(text: string, { strip, end, tab = false }: NameOptions): string | undefined {
  const quotedName = text.startsWith('"') ? unquote(text) : undefined
  if (quotedName !== undefined) {
    const nameBelow = dropComponents(quotedName.name, strip)
    if (nameBelow !== undefined) return squash(nameBelow)
  }
  const stop = end ?? text.search(tab ? /[\t\r\n]/ : /[\r\n]/)
  const plainName = dropComponents(stop < 0 ? text : text.slice(0, stop), strip)
  return plainName === undefined || plainName === '' ? undefined : squash(plainName)
}

/** Returns the name of a `---` or `+++` line without git's header, without a trailing time. */
export const datedName = (text: string, strip: number): string | undefined => {
  const line = withoutNewline(text)
  const time = TIME_AT_END.exec(line)
  return time === null
    ? headerName(text, { strip, tab: true })
    : headerName(text, { strip, end: line.length - time[0].length })
}

// One tab separates the name and its time, or blanks if a mailer replaced it.
const TIME_AT_END =
  /(?:\t|(?<! ) +)(?:\d\d)?\d\d-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?)?(?: [+-]\d{4}| [+-]\d\d:\d\d)?$/

export const isDevNull = (text: string): boolean => /^\/dev\/null[ \t\r\n]/.test(text)

/** Reports whether the time is the epoch: `diff -N` marks a missing file this way. */
export function isEpoch(text: string): boolean {
  const time = withoutNewline(text).split('\t').slice(1).at(-1)
  const match = /^(1969-12-31|1970-01-01) ([0-2]\d):([0-5]\d):00(?:\.0+)? ([-+])([0-2]\d):?([0-5]\d)$/.exec(time ?? '')
  if (match === null) return false
  const [, day, hour, minute, sign, zoneHour, zoneMinute] = match
  const zone = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1)
  return Number(hour) * 60 + Number(minute) - zone === (day === '1970-01-01' ? 0 : 24 * 60)
}

/** Drops leading components. Returns undefined if there are too few. */
function dropComponents(name: string, count: number): string | undefined {
  let start = 0
  for (let componentsLeft = count; componentsLeft > 0; componentsLeft--) {
    const slash = name.indexOf('/', start)
    if (slash < 0) return undefined
    start = slash + 1
  }
  return name.slice(start)
}

/** Reads a name in double quotes with C escapes, and its end. Returns undefined for any other text. */
export function unquote(text: string): { readonly name: string; readonly end: number } | undefined {
  let name = ''
  for (let at = 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"') return { name, end: at + 1 }
    if (character !== '\\') {
      name += character
      continue
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4))
    const plain = ESCAPES[text.charAt(at + 1)]
    if (octal === null && plain === undefined) return undefined
    name += octal === null ? plain : String.fromCharCode(Number.parseInt(octal[0], 8))
    at += octal === null ? 1 : 3
  }
  return undefined
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
}

const squash = (name: string): string => name.replace(/\/{2,}/g, '/')
const withoutNewline = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)
