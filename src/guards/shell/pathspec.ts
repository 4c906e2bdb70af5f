/** The parts of a git pathspec that decide which paths it leaves out. */
interface Pathspec {
  readonly exclude: boolean
  /** It begins at the root of the repository, in whatever directory the command runs. */
  readonly top: boolean
  matches(path: string): boolean
}

/**
 * Reports whether a command with these pathspecs may touch this path, in any directory unless it runs at the root;
 * without pathspecs it may touch everything. A pathspec that is not understood includes everything and excludes
 * nothing.
 */
export function mayTouch(specs: readonly string[], path: string, atRoot: boolean): boolean {
  const pathspecs = specs.map(text => parse(text, atRoot))
  const [excludes, includes] = [pathspecs.filter(spec => spec.exclude), pathspecs.filter(spec => !spec.exclude)]
  if (excludes.some(spec => spec.top && spec.matches(path))) return false
  if (includes.length === 0 || includes.some(spec => spec.top && spec.matches(path))) return true
  return directoriesOf(path).some(directory => {
    const inside = directory === '' ? path : path.slice(directory.length + 1)
    const has = (some: readonly Pathspec[]): boolean => some.some(spec => !spec.top && spec.matches(inside))
    return has(includes) && !has(excludes)
  })
}

/** Returns every directory of the path, the root as an empty name. */
const directoriesOf = (path: string): string[] => {
  const names = path.split('/').slice(0, -1)
  return ['', ...names.map((_, at) => names.slice(0, at + 1).join('/'))]
}

const SHORT = /^:([!^/]+):?/
const LONG = /^:\(([a-z,]*)\)/

function parse(text: string, atRoot: boolean): Pathspec {
  const short = SHORT.exec(text)
  const long = LONG.exec(text)
  const magic = new Set(long ? (long[1] ?? '').split(',') : Array.from(short?.[1] ?? '', mark => MARKS[mark] ?? mark))
  const exclude = magic.has('exclude')
  const top = atRoot || magic.has('top') || text.startsWith('/')
  const isKnown =
    [...magic].every(word => KNOWN.has(word)) && (long !== null || short !== null || !text.startsWith(':'))
  const pattern = text.slice((long ?? short)?.[0].length ?? 0)
  return { exclude, top, matches: isKnown ? matcherOf(pattern, magic, exclude) : () => !exclude }
}

const MARKS: Readonly<Record<string, string>> = { '!': 'exclude', '^': 'exclude', '/': 'top' }
const KNOWN = new Set(['', 'exclude', 'top', 'glob', 'literal', 'icase'])

function matcherOf(pattern: string, magic: ReadonlySet<string>, exclude: boolean): (path: string) => boolean {
  const names = pattern.split('/').filter(name => name !== '' && name !== '.')
  // Outside the start directory, or in a place unknown here.
  if (names.includes('..') || (pattern.startsWith('/') && !magic.has('top'))) return () => !exclude
  const tidy = names.join('/')
  const fold = (path: string): string => (magic.has('icase') || !exclude ? path.toLowerCase() : path)
  const foldedPattern = fold(tidy)
  if (tidy === '') return () => true
  if (magic.has('literal') || !/[*?[\\]/.test(tidy)) return path => `${fold(path)}/`.startsWith(`${foldedPattern}/`)
  if (/[[\\]/.test(tidy)) return () => !exclude
  const regex = wildcard(foldedPattern, exclude && magic.has('glob'))
  // A matched directory may include everything in it; an exclusion must match the path itself.
  return path => [path, ...(exclude ? [] : directoriesOf(path))].some(one => regex.test(fold(one)))
}

/** `narrow`: a star does not match a slash. */
function wildcard(pattern: string, narrow: boolean): RegExp {
  const source = pattern.replaceAll(/[.+^${}()|]/g, String.raw`\$&`).replaceAll(/\*\*\/|\*+|\?/g, mark => {
    if (mark === '?') return narrow ? '[^/]' : '.'
    if (mark === '**/') return narrow ? '(?:.*/)?' : '.*'
    return narrow && mark === '*' ? '[^/]*' : '.*'
  })
  return new RegExp(`^${source}$`, 's')
}
