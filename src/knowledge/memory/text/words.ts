/** Too common in descriptions of errors to tell two of them apart. */
const COMMON = new Set(
  `a an and are as at be but by can do does for from has have i if in into is it its not of on or so than that the their then there
  this to was we were when which while will with you`.split(/\s+/),
)

/**
 * Returns the words that are indexed and searched: in lower case, without endings of number and tense, the parts of
 * compound names besides the whole.
 */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = []
  for (const [name] of text.normalize('NFKC').matchAll(/[\p{L}\p{N}]+/gu)) {
    const parts = name.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    for (const part of parts.length > 1 ? [name, ...parts] : parts) {
      const word = part.toLowerCase()
      if (!COMMON.has(word)) words.push(stem(word))
    }
  }
  return words
}

function stem(word: string): string {
  if (word.length < 5 || !/^[a-z]+$/.test(word)) return word
  const short = word.replace(/(?:ies|ied)$/, 'y').replace(/(?<!s)s$|(?<=[a-z]{3})(?:ed|ing)$/, '')
  return short.length < 3 ? word : short.replace(/(?<=[a-z]{4})e$/, '').replace(/([b-df-hj-km-np-rtv-z])\1$/, '$1')
}
