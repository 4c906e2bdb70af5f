import { wordsOf } from '../../src/knowledge/memory/text/words.ts'
import type { Embedder } from '../../src/knowledge/memory/types.ts'

/** Embeds by the words of a text: the same words give the same vector, in no time. */
export function wordEmbedder(name = 'words', dimension = 96): Embedder & { readonly seen: string[] } {
  const seen: string[] = []
  return {
    name,
    dimension,
    seen,
    async embed(texts, signal) {
      signal.throwIfAborted()
      seen.push(...texts)
      return texts.map(text => vectorOf(text, name, dimension))
    },
    close: async () => {},
  }
}

function vectorOf(text: string, name: string, dimension: number): Float32Array {
  const vector = new Float32Array(dimension)
  for (const word of ['', ...wordsOf(text)]) {
    let hash = 2166136261
    for (const letter of name + word) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619)
    const place = (hash >>> 1) % dimension
    vector[place] = (vector[place] ?? 0) + 1
  }
  const length = Math.hypot(...vector)
  return vector.map(value => value / length)
}
