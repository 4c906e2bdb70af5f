import type { PackedFacts } from './entry.ts'

/**
 * Replaces what many files have in common by one copy: facts come from another process, where every file has its own.
 */
export function sharedFacts(): (facts: PackedFacts) => PackedFacts {
  /** The language and the tags of files that have both in common. */
  const kinds = new Map<string, Pick<PackedFacts, 'language' | 'tags'>>()
  return facts => {
    const { language, tags, exports, stars } = facts
    const key = [language, ...tags].join('\0')
    const kind = kinds.get(key) ?? { language, tags }
    kinds.set(key, kind)
    return { ...facts, ...kind, exports: orNone(exports), stars: orNone(stars) }
  }
}

const NONE: readonly string[] = []

const orNone = (names: readonly string[]): readonly string[] => (names.length === 0 ? NONE : names)
