import { posix } from 'node:path'

/** A module that a script imports. */
export interface Import {
  /** A path without its ending, or the last word of a package or an alias. */
  readonly key: string
  /** The script may hold the module as an object. */
  readonly isWhole: boolean
}

const SPECIFIERS = /(\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(['"`])([^'"`\n]+)\2/g

/** The modules that a script imports, as its specifiers tell. */
export function importsIn(path: string, text: string): readonly Import[] {
  const isWholeByKey = new Map<string, boolean>()
  const add = (key: string, isObject: boolean) => isWholeByKey.set(key, isObject || isWholeByKey.get(key) === true)
  for (const match of text.matchAll(SPECIFIERS)) {
    const [whole, how = '', , specifier = ''] = match
    const before = text.slice(Math.max(0, match.index - LONGEST), match.index)
    const after = text.slice(match.index + whole.length, match.index + whole.length + LONGEST)
    add(
      specifier.startsWith('.')
        ? posix.join(posix.dirname(path), specifier).replace(ENDING, '').replace(/\/$/, '')
        : wordKey(specifier),
      isWhole(how, before, after),
    )
  }
  if (HOLDS_ITSELF.test(text) && NAMES_ITSELF.test(path)) add(path.replace(ENDING, ''), true)
  return Array.from(isWholeByKey, ([key, isObject]) => ({ key, isWhole: isObject }))
}

/** Only CommonJS in JavaScript, and declarations, have a name for their own module. */
const HOLDS_ITSELF = /\bexports\b|\bas\s+namespace\b/
const NAMES_ITSELF = /\.(?:c?jsx?|d\.[cm]?ts)$/

/** Looks no further for what an import is taken as. */
const LONGEST = 500

/** Only names in braces, and single members, are certainly not the module itself. */
function isWhole(how: string, before: string, after: string): boolean {
  if (how === 'import') return false
  if (how === 'from') {
    const [, names] = /(?:^|[\s;}])(?:import|export)\s*(?:type\s*)?(?:\{([^{}]*)\}|\*)\s*$/.exec(before) ?? [
      '',
      'default',
    ]
    return names !== undefined && /\bdefault\b/.test(names)
  }
  if (/\}\s*=\s*(?:await\s+)?$/.test(before)) return false
  return !(
    /^\s*\)\s*\.\s*(?!then\b|catch\b|finally\b)[\w$]/.test(after) ||
    (/\(\s*await\s+$/.test(before) && /^\s*\)\s*\)\s*\.\s*[\w$]/.test(after))
  )
}

export const ENDING = /(?:\.d)?\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/

/** An alias or a package begins with another character, so that no path is taken for one. */
export const wordKey = (specifier: string): string => `:${posix.basename(specifier).replace(ENDING, '')}`
