import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Hides } from '../../../kernel/hides.ts'
import { hiddenPaths, type HiddenMemory } from '../../process/overlay/hidden-paths.ts'
import type { Root } from '../../workspace/root.ts'
import type { Staging } from '../../workspace/staging.ts'
import { createView } from '../../workspace/view.ts'
import { familyOf } from './module-facts.ts'

export interface TellingRules {
  readonly root: Root
  readonly staging: Staging
  readonly mayRead: (path: string) => boolean
  readonly hides: Hides | undefined
  /** What a file says, and said where that is another text. */
  textsOf(path: string): readonly (string | null | undefined)[]
}

/** Stands for what a server said where its words could be those of a file that may not be read. */
export const UNTOLD = 'What it says is not told: it could quote a file that may not be read'

/** An error as it may be told. */
export type Tellable = <T extends { readonly path: string; readonly message: string }>(fault: T) => T

/**
 * A server reads every file, also those that the rules keep from whoever asks, and quotes them in what it says of others:
 * which ones cannot be known from imports, for anything may be written to get at them. So where there is such a file, only
 * those words are handed on that stand in the file they are said of, or in one of `known`, or that servers say anyway.
 */
export function tellable(rules: TellingRules, known: readonly string[]): Tellable {
  const { root, staging, mayRead, textsOf } = rules
  const hidden = new Map<boolean, boolean>()
  const words = new Map<string, ReadonlySet<string>>()
  return fault => (!keepsAny(fault.path) || isKnown(fault) ? fault : { ...fault, message: UNTOLD })

  function keepsAny(path: string): boolean {
    const isModule = ['script', 'python'].includes(familyOf(path))
    const before = hidden.get(isModule)
    if (before !== undefined) return before
    const found = isAnyHidden(rules, isModule)
    hidden.set(isModule, found)
    return found
  }

  function isKnown({ path, message }: { readonly path: string; readonly message: string }): boolean {
    const own = [path, ...known].map(wordsIn)
    return wordsOf(message).every(word => COMMON.has(word.toLowerCase()) || own.some(each => each.has(word)))
  }

  function wordsIn(path: string): ReadonlySet<string> {
    const before = words.get(path)
    if (before) return before
    const found = new Set(isReadable(path) ? textsOf(path).flatMap(text => wordsOf(text ?? '')) : [])
    words.set(path, found)
    return found
  }

  /** Also where it is a link. */
  function isReadable(path: string): boolean {
    return mayRead(path) && createView(root, staging).look(path, {}, ({ located }) => mayRead(located.rel))
  }
}

/** Files of which no rule speaks. */
const UNNAMED = ['nothing-of-this-name.ts', 'nothing/of/this-name.ts']
const memories = new WeakMap<Hides, HiddenMemory>()

function isAnyHidden({ root, staging, mayRead, hides }: TellingRules, isModule: boolean): boolean {
  if (!UNNAMED.every(mayRead)) return true
  if (!hides) return false
  const memory = memories.get(hides) ?? new Map()
  memories.set(hides, memory)
  const isRead = (path: string, isFile: boolean) => !isModule || !isFile || IMPORTED.test(path)
  const isStaged = staging
    .entries()
    .some(([path, { state }]) => state.type === 'file' && hides.matches(path) && isRead(path, true))
  return isStaged || hiddenOnDisk(root, hides, memory).some(path => isRead(path, isFileAt(root, path)))
}

function hiddenOnDisk(root: Root, hides: Hides, memory: HiddenMemory): readonly string[] {
  try {
    return hiddenPaths(root, hides, memory)
  } catch {
    // More than can be looked through: it may be anything.
    return ['.']
  }
}

const isFileAt = (root: Root, path: string): boolean =>
  lstatSync(join(root.path, path), { throwIfNoEntry: false })?.isFile() ?? false

/** What a module can name; other languages include whatever they like. */
const IMPORTED = /\.(?:[cm]?[jt]sx?|json\w*|pyi?|vue|svelte|astro)$/i

/** Parts between blanks, quotes and brackets; what is joined by other signs stays together. */
const wordsOf = (text: string): readonly string[] => text.split(/[\s'"“”`()[\]{}<>,.;:|&=?…\\]+/).filter(Boolean)

/** What servers say of whatever they find. */
const COMMON = new Set(
  `a able abstract accepts accessed access all already also an and any are argument arguments array as assert assertion
  assignable assignment assigned async at attribute await base be because been before but by call callable called can
  cannot class code conflicts constructor consider could corresponding declaration declarations declare declared default
  defaulting definition did do does either element enum error exist exists expected export exported expression extends
  field file files find first following for found from function generic get getter got has have if implement implemented
  implements implicitly import imported in inaccessible incompatible index inferred initializer instance instead
  interface invalid is it its keyword least like literal local matches matching mean member members method missing module
  modules more most must name names namespace need needed never no non-abstract none not null number object of on one only
  operator optional or other overload overloads override own package parameter parameters part partially parentheses
  position positional possibly private properties property protected provided public read-only readonly reached
  reassigned redeclare reference refers relative required resolve resolved return returned returns same second self set
  setter should signature source specified spread statement static string symbol syntax target than that the there this
  to too tuple type types unbound undefined unexpected unique unknown unless unreachable unresolved unused use used value
  values variable variables void was were when which with without you your bool boolean float int str list dict`.split(
    /\s+/,
  ),
)
