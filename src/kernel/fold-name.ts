import { once } from './once.ts'

/** Letters of other alphabets that look like a Latin one; enough to spell the protected names. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  ɑ: 'a',
  α: 'a',
  в: 'b',
  с: 'c',
  ϲ: 'c',
  ԁ: 'd',
  е: 'e',
  ɡ: 'g',
  һ: 'h',
  і: 'i',
  ι: 'i',
  ı: 'i',
  // What is left of a capital i with a dot.
  '\u0307': '',
  ӏ: 'l',
  ј: 'j',
  κ: 'k',
  к: 'k',
  м: 'm',
  ո: 'n',
  о: 'o',
  ο: 'o',
  р: 'p',
  ρ: 'p',
  ԛ: 'q',
  г: 'r',
  ѕ: 's',
  т: 't',
  τ: 't',
  υ: 'u',
  ѵ: 'v',
  ν: 'v',
  ԝ: 'w',
  х: 'x',
  χ: 'x',
  у: 'y',
  γ: 'y',
}

const invisible = once(() => new RegExp(String.raw`[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]`, 'gu'))

/**
 * Folds a name as the most forgiving file system would. Case, invisible characters, compatibility forms, look-alike
 * letters, trailing dots and spaces and NTFS streams do not distinguish two names.
 */
export function foldName(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase()
  const visible = name.normalize('NFKC').replaceAll(invisible(), '')
  const stream = visible.indexOf(':')
  const bare = stream > 0 ? visible.slice(0, stream) : visible
  const foldedName = bare.toUpperCase().toLowerCase().normalize('NFKC')
  const latin = ASCII.test(foldedName) ? foldedName : Array.from(foldedName, char => LOOKALIKES[char] ?? char).join('')
  return latin.replace(/[. ]+$/, '')
}

const PLAIN = /^[a-zA-Z0-9._@+-]*[a-zA-Z0-9_@+-]$/
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/

/** Folds every name of a path. */
export const foldPath = (path: string): string =>
  PLAIN_PATH.test(path) ? path.toLowerCase() : path.split('/').map(foldName).join('/')

const PLAIN_PATH = /^(?:[a-zA-Z0-9._@+-]*[a-zA-Z0-9_@+-]\/)*[a-zA-Z0-9._@+-]*[a-zA-Z0-9_@+-]$/

/** Returns the folded names of a path. Drops `.` and empty names, resolves `..`; a backslash separates too. */
export function foldedNames(path: string): readonly string[] {
  const names: string[] = []
  for (const name of path.split(/[/\\]/)) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(foldName(name))
  }
  return names
}

/**
 * Reports whether a folded name can be the 8.3 short name of a long one: `git~1` for `.git`, `gitatt~1` for
 * `.gitattributes`, and the hashed form (`gi7eba~1`) that Windows falls back to.
 */
export function isShortNameOf(foldedName: string, long: string): boolean {
  const tilde = foldedName.indexOf('~')
  if (tilde < 2 || !/^\d+(\.|$)/.test(foldedName.slice(tilde + 1))) return false
  const stem = foldedName.slice(0, tilde)
  const plain =
    long
      .replace(/^\.+/, '')
      .split('.')[0]
      ?.replaceAll(/[^a-z0-9_-]/g, '') ?? ''
  return stem === plain.slice(0, 6) || (/^..[0-9a-f]{4}$/.test(stem) && stem.startsWith(plain.slice(0, 2)))
}
