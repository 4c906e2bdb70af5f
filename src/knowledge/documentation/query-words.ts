/** Words that say nothing about the subject of a question. */
const EMPTY = new Set(
  `a an and are as at be by can cannot could do does for from get has have how i if in into is it its me my not of on or our
  should than that the their there these this to use used using was we were what when where which who why will with would
  you your`.split(/\s+/),
)

/** Returns the distinct words of a question that documentation can contain, in lower case. */
export function queryWords(query: string): readonly string[] {
  const words = wordsOf(query)
  const contentWords = words.filter(word => !EMPTY.has(word) && word.length > 1)
  return [...new Set(contentWords.length > 0 ? contentWords : words)].slice(0, 40)
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Returns the share of words that a text contains, regardless of their endings; 1 without any words. */
export function coverage(words: readonly string[], text: string): number {
  if (words.length === 0) return 1
  const inside = text.toLowerCase()
  return words.filter(word => inside.includes(stemOf(word))).length / words.length
}

/** The beginning that forms of a word share: `throws`, `throwing`, `thrown` and `throw`. */
const stemOf = (word: string): string => {
  const stem = word.replace(/(ies|ing|ed|es|s|y)$/, '')
  return stem.length >= 3 ? stem : word
}

/** Returns the parts of the names in a text that are written together: `readFileSync` gives `read file sync`. */
export function splitNames(text: string): string {
  const names = (text.match(/[A-Za-z]+/g) ?? []).filter(word => word.length < 60 && /[a-z][A-Z]/.test(word))
  const parts = new Set(names.flatMap(name => name.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)))
  return [...parts].join(' ')
}
