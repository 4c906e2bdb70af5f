import { rangesOf } from './code-points.ts'
import type { Syntax } from './syntax.ts'
import type { Needs } from './types.ts'

/** Byte sequences, each byte as a character. */
type Texts = ReadonlySet<string>

interface Facts {
  /** All possible matches, if they are few. */
  readonly exact?: Texts
  /** Prefixes and suffixes of all matches; the empty text if unknown. */
  readonly prefix: Texts
  readonly suffix: Texts
  readonly needs: Needs
}

const MOST = 100
const FEW = 4
const EMPTY: Texts = new Set([''])

/** Returns what a text must hold for the expression to match in it. */
export function needsOfSyntax(syntax: Syntax): Needs {
  const { exact, prefix, suffix, needs } = factsOf(syntax)
  return every([
    needs,
    exact ? trigrams(exact) : 'anything',
    exact ? 'anything' : trigrams(prefix),
    exact ? 'anything' : trigrams(suffix),
  ])
}

function factsOf(syntax: Syntax): Facts {
  switch (syntax.kind) {
    case 'look':
      return exactly(EMPTY)
    case 'set': {
      const size = rangesOf(syntax.set).reduce((sum, [first, last]) => sum + last - first + 1, 0)
      return size > MOST ? UNKNOWN : exactly(new Set(rangesOf(syntax.set).flatMap(utf8Texts)))
    }
    case 'concat':
      return syntax.parts.map(factsOf).reduce(joinFacts, exactly(EMPTY))
    case 'choice':
      return syntax.parts.map(factsOf).reduce(either)
    case 'repeat': {
      if (syntax.min === 0) return UNKNOWN
      const once = factsOf(syntax.part)
      if (syntax.max === 1) return once
      return { prefix: once.exact ?? once.prefix, suffix: once.exact ?? once.suffix, needs: withExact(once) }
    }
  }
}

const UNKNOWN: Facts = { prefix: EMPTY, suffix: EMPTY, needs: 'anything' }

const exactly = (exact: Texts): Facts => ({ exact, prefix: exact, suffix: exact, needs: 'anything' })

function utf8Texts([first, last]: readonly [number, number]): string[] {
  return Array.from({ length: last - first + 1 }, (_, more) =>
    Buffer.from(String.fromCodePoint(first + more)).toString('latin1'),
  )
}

/** Concatenates two parts. */
function joinFacts(one: Facts, other: Facts): Facts {
  const needs = both([one.needs, other.needs])
  if (one.exact && other.exact) {
    const exact = concatTexts(one.exact, other.exact)
    if (exact && (exact.size === 1 || shortest(exact) < 4)) return { exact, prefix: exact, suffix: exact, needs }
  }
  const seam = concatTexts(one.suffix, other.prefix)
  return {
    prefix: cut((one.exact && concatTexts(one.exact, other.prefix)) ?? one.prefix, text => text.slice(0, 3)),
    suffix: cut((other.exact && concatTexts(one.suffix, other.exact)) ?? other.suffix, text => text.slice(-3)),
    needs: both([needs, seam ? trigrams(seam) : both([trigrams(one.suffix), trigrams(other.prefix)])]),
  }
}

function either(one: Facts, other: Facts): Facts {
  const together = (ours: Texts, theirs: Texts) => new Set([...ours, ...theirs])
  if (one.exact && other.exact && one.exact.size + other.exact.size <= MOST) {
    const exact = together(one.exact, other.exact)
    // The texts include the needs of both.
    return { exact, prefix: exact, suffix: exact, needs: some([one.needs, other.needs]) }
  }
  return {
    prefix: limitTexts(together(one.prefix, other.prefix)),
    suffix: limitTexts(together(one.suffix, other.suffix)),
    needs: some([withExact(one), withExact(other)]),
  }
}

const withExact = ({ exact, prefix, suffix, needs }: Facts): Needs =>
  every([needs, ...(exact ? [trigrams(exact)] : [trigrams(prefix), trigrams(suffix)])])

const limitTexts = (texts: Texts): Texts => (texts.size > MOST ? EMPTY : texts)

const cut = (texts: Texts, shorten: (text: string) => string): Texts => limitTexts(new Set([...texts].map(shorten)))

function concatTexts(one: Texts, other: Texts): Texts | undefined {
  if (one.size * other.size > MOST) return undefined
  return new Set([...one].flatMap(begin => [...other].map(end => begin + end)))
}

const shortest = (texts: Texts): number => Math.min(...[...texts].map(text => text.length))

/** Requires one of the texts, as far as trigrams can express it. */
function trigrams(texts: Texts): Needs {
  if (texts.size === 0) return 'nothing'
  const all = [...texts].map(trigramsOf)
  if (all.length <= FEW) return some(all.map(every))
  // With many texts, such as letters in either case, requiring each position separately is nearly as strict and needs
  // far fewer lists.
  const places = Math.min(...all.map(({ length }) => length))
  return every(Array.from({ length: places }, (_, place) => some(all.map(one => one[place] ?? 'anything'))))
}

function trigramsOf(text: string): Needs[] {
  const textTrigrams: Needs[] = []
  for (let at = 2; at < text.length; at++)
    textTrigrams.push((text.charCodeAt(at - 2) << 16) | (text.charCodeAt(at - 1) << 8) | text.charCodeAt(at))
  return textTrigrams
}

/** Requires all needs, each named once. */
function every(needs: readonly Needs[]): Needs {
  const all = both(needs)
  return typeof all === 'object' && 'every' in all ? both(distinct(all.every)) : all
}

/** Requires all needs. */
function both(needs: readonly Needs[]): Needs {
  const parts = needs.flatMap(need => (typeof need === 'object' && 'every' in need ? need.every : [need]))
  if (parts.includes('nothing')) return 'nothing'
  const real = parts.filter(part => part !== 'anything')
  return real.length > 1 ? { every: real } : (real[0] ?? 'anything')
}

/** Requires one of the needs. */
function some(needs: readonly Needs[]): Needs {
  const parts = distinct(needs.flatMap(need => (typeof need === 'object' && 'some' in need ? need.some : [need])))
  if (parts.includes('anything')) return 'anything'
  const real = parts.filter(part => part !== 'nothing')
  return real.length > 1 ? { some: real } : (real[0] ?? 'nothing')
}

function distinct(needs: readonly Needs[]): Needs[] {
  const uniqueNeeds = new Map(needs.map(need => [typeof need === 'object' ? JSON.stringify(need) : need, need]))
  return [...uniqueNeeds.values()]
}
