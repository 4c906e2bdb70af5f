import { posix } from 'node:path'
import type { Program } from 'oxc-parser'

const ENDING = /(?:\.d)?\.[cm]?[jt]sx?$/
const TO_SCRIPT: Readonly<Record<string, string>> = { '.ts': '.js', '.tsx': '.js', '.mts': '.mjs', '.cts': '.cjs' }

/** How a specifier ends: with the file's extension, with that of its compiled file, or without one. */
export type Style = 'whole' | 'script' | 'bare'

/** An import that is known to refer to a file. */
interface Example {
  readonly specifier: string
  readonly path: string
}

export const isRelative = (specifier: string): boolean => /^\.{1,2}(\/|$)/.test(specifier)

/** Reports whether a relative specifier in a file refers to another file, whatever its extension. */
export function means(from: string, specifier: string, path: string): boolean {
  if (!isRelative(specifier)) return false
  const target = posix.join(posix.dirname(from), specifier)
  const plain = path.replace(ENDING, '')
  return target === path || target.replace(/\.[cm]?[jt]sx?$/, '') === plain || `${target}/index` === plain
}

/** A relative specifier, rewritten for another file. */
export function rebaseSpecifier(specifier: string, from: string, to: string): string {
  if (!isRelative(specifier) || posix.dirname(from) === posix.dirname(to)) return specifier
  return withDot(posix.relative(posix.dirname(to), posix.join(posix.dirname(from), specifier)))
}

export function styleOf({ specifier, path }: Example): Style {
  const [ending] = /\.[cm]?[jt]sx?$/.exec(specifier) ?? []
  if (ending === undefined) return 'bare'
  return path.endsWith(ending) ? 'whole' : 'script'
}

/** How a module writes its relative imports; undefined if it has none. */
export function styleIn(program: Program, path: string): Style | undefined {
  for (const statement of program.body) {
    const from = 'source' in statement ? statement.source?.value : undefined
    if (from === undefined || !isRelative(from)) continue
    if (/\.[cm]?tsx?$/.test(from)) return 'whole'
    if (/\.[cm]?jsx?$/.test(from)) return /\.[cm]?tsx?$/.test(path) ? 'script' : 'whole'
    if (posix.extname(from) === '') return 'bare'
  }
  return undefined
}

/** The style that the project's configuration requires. */
export function styleBy(path: string, configuration: string | undefined): Style {
  if (/\.[cm]?jsx?$/.test(path)) return 'whole'
  if (configuration && /"allowImportingTsExtensions"\s*:\s*true/.test(configuration)) return 'whole'
  const isNode = configuration && /"module(Resolution)?"\s*:\s*"node(16|18|20|next)"/i.test(configuration)
  return isNode || /\.[cm]ts$/.test(path) ? 'script' : 'bare'
}

/** The specifier of one file in another, in the style of an existing import of `like.path`. */
export function specifierFor(from: string, to: string, style: Style, like?: Example): string {
  const alias = like && !isRelative(like.specifier) ? aliasSpecifier(to, like) : undefined
  return alias ?? withDot(inStyle(posix.relative(posix.dirname(from), to), style))
}

/**
 * With `@/lib/a` for `src/lib/a.ts`, returns `@/lib/b` for `src/lib/b.ts`; undefined if the alias does not follow the
 * path.
 */
function aliasSpecifier(to: string, like: Example): string | undefined {
  const style = styleOf(like)
  const path = inStyle(like.path, style)
  let sharedLength = 0
  while (sharedLength < path.length && path.at(-1 - sharedLength) === like.specifier.at(-1 - sharedLength))
    sharedLength++
  const tail = path.slice(path.length - sharedLength)
  // Whole names only, and no bare package name.
  const at = tail.startsWith('/') || sharedLength === path.length ? 0 : tail.indexOf('/')
  if (at < 0 || sharedLength === 0) return undefined
  const base = path.slice(0, path.length - tail.length + at)
  const prefix = like.specifier.slice(0, like.specifier.length - tail.length + at)
  return to.startsWith(`${base}/`) || base === '' ? prefix + inStyle(to, style).slice(base.length) : undefined
}

function inStyle(path: string, style: Style): string {
  if (style === 'whole') return path
  const ending = posix.extname(path)
  return path.replace(ENDING, '') + (style === 'script' ? (TO_SCRIPT[ending] ?? ending) : '')
}

const withDot = (path: string): string => (isRelative(path) ? path : `./${path}`)
