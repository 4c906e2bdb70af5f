import type { Random } from '../../patch-differential/random.ts'

type Some<T> = readonly [T, ...T[]]

const WORDS: Some<string> = [
  'import',
  'IMPORT',
  'Kelvin',
  '\u212aelvin',
  'kelvin',
  'ſtraße',
  'STRASSE',
  'strasse',
  'straße',
  'Straẞe',
  'ıstanbul',
  'İstanbul',
  'Istanbul',
  'istanbul',
  'foo_bar',
  'foo',
  'bar',
  'foobar',
  'a',
  'ab',
  'abc',
  'aab',
  'b',
  'x1',
  '42',
  '٣٤',
  'é',
  'e\u0301',
  'ÉCOLE',
  'école',
  'σίσυφος',
  'ΣΊΣΥΦΟΣ',
  '日本語',
  '😀',
  'a😀b',
  '(x)',
  '[y]',
  'a.b',
  'a-b',
  '$5',
  '\\n',
  'TODO',
  'FIXME',
  'Å',
  '\u212b',
  'å',
  'ǆ',
  'ǅ',
  'Ǆ',
  'µ',
  'μ',
  'ff',
  'ﬀ',
  'K',
  'k',
  's',
  'S',
  'ſ',
  'ß',
  '_',
  '__',
  'Z9z',
]
const GAPS: Some<string> = [
  ' ',
  ' ',
  ' ',
  '',
  '',
  '\t',
  '  ',
  ',',
  '.',
  '\u00a0',
  '\u2028',
  '\u3000',
  '\r',
  '\v',
  '\f',
  '\u0085',
  '-',
  '\u200d',
  '"',
]
const ENDS: Some<string> = ['\n', '\n', '\n', '\r\n', '\r\n', '\r\r\n', '\n\n', '\n\r', '\r']
const INVALID: Some<number[]> = [
  [0xff],
  [0xc3],
  [0xe9],
  [0xe2, 0x82],
  [0x80],
  [0xf0, 0x9f, 0x98],
  [0xed, 0xa0, 0x80],
  [0xc0, 0xaf],
  [0xf8],
  [0xfe, 0xff],
]

/** A file of what makes searches go wrong: line ends of every kind, encodings, bytes that are no text, long lines, NULs. */
export function nastyFile(random: Random): Buffer {
  const kind = random.int(20)
  if (kind === 0) return Buffer.alloc(0)
  const text = lines(random, random.int(12) + 1)
  switch (kind) {
    case 1:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text])
    case 2:
      return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text.toString(), 'utf16le')])
    case 3:
      return Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text.toString(), 'utf16le').swap16()])
    case 4:
      return Buffer.from(text.toString(), 'latin1')
    case 5:
      return withNul(random, text)
    case 6:
      return broken(random, Buffer.from(text.toString(), 'utf16le'))
    case 7:
      return long(random, text)
    case 8:
      return big(random)
    default:
      return text
  }
}

function lines(random: Random, count: number): Buffer {
  const isAscii = random.chance(0.4)
  const hasInvalid = !isAscii && random.chance(0.3)
  const end = random.pick(ENDS)
  const parts: Buffer[] = []
  for (let line = 0; line < count; line++) {
    const words = random.int(6)
    for (let at = 0; at < words; at++) {
      const word = random.pick(WORDS) + random.pick(GAPS)
      // oxlint-disable-next-line no-control-regex
      parts.push(Buffer.from(isAscii ? word.replace(/[^\0-\x7f]/gu, '') : word))
      if (hasInvalid && random.chance(0.3)) parts.push(Buffer.from(random.pick(INVALID)))
    }
    if (line < count - 1 || random.chance(0.6)) parts.push(Buffer.from(random.chance(0.8) ? end : random.pick(ENDS)))
  }
  return Buffer.concat(parts)
}

function withNul(random: Random, text: Buffer): Buffer {
  const size = random.pick([0, 0, 65_530, 70_000, 140_000])
  const padded = Buffer.concat([text, Buffer.from('padding of words\n'.repeat(size / 17)), text])
  const at = random.int(padded.length + 1)
  return Buffer.concat([padded.subarray(0, at), Buffer.from([0]), padded.subarray(at)])
}

/** UTF-16 with halves of characters and an odd end. */
function broken(random: Random, units: Buffer): Buffer {
  for (let times = random.int(3); times > 0 && units.length > 2; times--)
    units.writeUInt16LE(random.pick([0xd83d, 0xde00, 0xdfff]), random.int(units.length / 2 - 1) * 2)
  const rest = random.chance(0.5) ? Buffer.from([0x61]) : Buffer.alloc(0)
  return Buffer.concat([Buffer.from([0xff, 0xfe]), units, rest])
}

function long(random: Random, text: Buffer): Buffer {
  const unit = random.pick(['foo ', 'x', 'é', 'ab', 'e\u0301', '日本', '\r', 'Kelvin ', '😀'])
  const about = random.pick([990, 998, 999, 1000, 1001, 1002, 1500, 3000])
  const line = Buffer.from(unit.repeat(Math.ceil(about / Buffer.byteLength(unit)))).subarray(0, about)
  return Buffer.concat([text, Buffer.from('\n'), line, text])
}

function big(random: Random): Buffer {
  const parts: Buffer[] = []
  for (let size = 0; size < 70_000;) {
    const part = lines(random, 100)
    parts.push(part, Buffer.from('\n'))
    size += part.length + 1
  }
  return Buffer.concat(parts)
}
