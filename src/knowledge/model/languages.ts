/** Languages whose files are parsed, with the endings of their files. */
const ENDINGS = {
  typescript: ['ts', 'tsx', 'mts', 'cts'],
  javascript: ['js', 'jsx', 'mjs', 'cjs'],
  vue: ['vue'],
  svelte: ['svelte'],
  python: ['py', 'pyi'],
  go: ['go'],
  rust: ['rs'],
  java: ['java'],
  kotlin: ['kt', 'kts'],
  c: ['c', 'h'],
  cpp: ['cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'],
  csharp: ['cs'],
  ruby: ['rb', 'rake'],
  php: ['php'],
  swift: ['swift'],
  css: ['css'],
  scss: ['scss'],
  sass: ['sass'],
  less: ['less'],
} as const

export type Language = keyof typeof ENDINGS

const BY_ENDING = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) =>
    endings.map(ending => [ending as string, language as Language]),
  ),
)

/** The language that a file is parsed as; undefined if nothing can be said about its kind. */
export function languageOf(path: string): Language | undefined {
  const dot = path.lastIndexOf('.')
  return dot <= path.lastIndexOf('/') ? undefined : BY_ENDING.get(path.slice(dot + 1).toLowerCase())
}

/** A component in a file of its own, with markup around its scripts. */
export const isComponentFile = (path: string): boolean => /^(vue|svelte)$/.test(languageOf(path) ?? '')

/** What reads a language: the parser of scripts, tree-sitter, or nothing if there is no code to read. */
export function readerOf(language: Language): 'script' | 'grammar' | undefined {
  if (/^(typescript|javascript|vue|svelte)$/.test(language)) return 'script'
  return /^(css|scss|sass|less)$/.test(language) ? undefined : 'grammar'
}
