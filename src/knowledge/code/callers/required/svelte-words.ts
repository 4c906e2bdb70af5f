import { markupOnly, wordsInCode, type TemplateWord } from './template-words.ts'

/** `{ … }`, with one level of braces inside. */
const CODE = /\{(?<code>(?:[^{}]|\{[^{}]*\})*)\}/dg
/** Directives that name a function or a variable: `use:a`, `transition:a`, `bind:a`, `class:a`. */
const DIRECTIVE = /\s(?:use|transition|in|out|animate|bind|class|style):(?<name>[\p{ID_Start}$_][\p{ID_Continue}$]*)/dgu
const ELEMENT = /<(?<name>[\p{ID_Start}$_][\p{ID_Continue}$]*)/dgu

/** Where a Svelte component writes a name in its markup, or anywhere as the store that it is (`$name`). */
export function svelteWords(text: string, name: string): readonly TemplateWord[] {
  const markup = markupOnly(text)
  const inCode = [...markup.matchAll(CODE)].flatMap(({ indices }) => {
    const [from, to] = indices?.groups?.['code'] ?? [0, 0]
    return wordsInCode(markup.slice(from, to), name).map(word => ({ ...word, start: from + word.start }))
  })
  const named = (pattern: RegExp, kind: TemplateWord['kind']): readonly TemplateWord[] =>
    Array.from(markup.matchAll(pattern)).flatMap(({ groups, indices }) =>
      groups?.['name'] === name ? [{ name, start: indices?.groups?.['name']?.[0] ?? 0, kind }] : [],
    )
  // Only Svelte knows whether it is a store of this name or something else.
  const stores = wordsInCode(text, `$${name}`).map(({ start }) => ({ name, start: start + 1, kind: 'unsure' as const }))
  return [...inCode, ...named(DIRECTIVE, 'use'), ...named(ELEMENT, 'call'), ...stores].toSorted(
    (one, other) => one.start - other.start,
  )
}
