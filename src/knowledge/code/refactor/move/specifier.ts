import { posix } from 'node:path'
import type { Program } from 'oxc-parser'

const ENDING = /(?:\.d)?\.[cm]?[jt]sx?$/
const TO_SCRIPT: Readonly<Record<string, string>> = { '.ts': '.js', '.tsx': '.js', '.mts': '.mjs', '.cts': '.cjs' }

/** How a module is named by another: with its ending, with that of what it is compiled to, or without one. */
export type Style = 'whole' | 'script' | 'bare'

/** An import that is known to mean a file. */
interface Example {
  readonly specifier: string
  readonly path: string
}

export const isRelative = (specifier: string): boolean => /^\.{1,2}(\/|$)/.test(specifier)

/** Reports whether a relative specifier in a file means another file, however its ending is written. */
export function means(from: string, specifier: string, path: string): boolean {
  if (!isRelative(specifier)) return false
  const target = posix.join(posix.dirname(from), specifier)
  const plain = path.replace(ENDING, '')
  return target === path || target.replace(/\.[cm]?[jt]sx?$/, '') === plain || `${target}/index` === plain
}

/** A relative specifier as another file has to write it. */
export function rebased(specifier: string, from: string, to: string): string {
  if (!isRelative(specifier) || posix.dirname(from) === posix.dirname(to)) return specifier
  return dotted(posix.relative(posix.dirname(to), posix.join(posix.dirname(from), specifier)))
}

export function styleOf({ specifier, path }: Example): Style {
  const [ending] = /\.[cm]?[jt]sx?$/.exec(specifier) ?? []
  if (ending === undefined) return 'bare'
  return path.endsWith(ending) ? 'whole' : 'script'
}

/** How a module writes the files that it imports; undefined if it imports none. */
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

/** What the configuration of the project demands. */
export function styleBy(path: string, configuration: string | undefined): Style {
  if (/\.[cm]?jsx?$/.test(path)) return 'whole'
  if (configuration && /"allowImportingTsExtensions"\s*:\s*true/.test(configuration)) return 'whole'
  const isNode = configuration && /"module(Resolution)?"\s*:\s*"node(16|18|20|next)"/i.test(configuration)
  return isNode || /\.[cm]ts$/.test(path) ? 'script' : 'bare'
}

/** How a file names another, in the manner of an import of its own that means `like.path`. */
export function specifierFor(from: string, to: string, style: Style, like?: Example): string {
  const alias = like && !isRelative(like.specifier) ? aliased(to, like) : undefined
  return alias ?? dotted(written(posix.relative(posix.dirname(from), to), style))
}

/** `@/lib/a` for `src/lib/a.ts` makes `@/lib/b` of `src/lib/b.ts`; undefined if it says nothing about the place. */
function aliased(to: string, like: Example): string | undefined {
  const style = styleOf(like)
  const path = written(like.path, style)
  let shared = 0
  while (shared < path.length && path.at(-1 - shared) === like.specifier.at(-1 - shared)) shared++
  const tail = path.slice(path.length - shared)
  // Whole names only, and no name of a package alone.
  const at = tail.startsWith('/') || shared === path.length ? 0 : tail.indexOf('/')
  if (at < 0 || shared === 0) return undefined
  const base = path.slice(0, path.length - tail.length + at)
  const prefix = like.specifier.slice(0, like.specifier.length - tail.length + at)
  return to.startsWith(`${base}/`) || base === '' ? prefix + written(to, style).slice(base.length) : undefined
}

function written(path: string, style: Style): string {
  if (style === 'whole') return path
  const ending = posix.extname(path)
  return path.replace(ENDING, '') + (style === 'script' ? (TO_SCRIPT[ending] ?? ending) : '')
}

const dotted = (path: string): string => (isRelative(path) ? path : `./${path}`)
