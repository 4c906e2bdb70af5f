/** Parsed languages, with their file extensions. */
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

/** The language of a file; undefined if it is unknown. */
export function languageOf(path: string): Language | undefined {
  const dot = path.lastIndexOf('.')
  return dot <= path.lastIndexOf('/') ? undefined : BY_ENDING.get(path.slice(dot + 1).toLowerCase())
}

/** Reports whether a file is a single-file component, with markup around its scripts. */
export const isComponentFile = (path: string): boolean => /^(vue|svelte)$/.test(languageOf(path) ?? '')

/** The parser of a language: the script parser, tree-sitter, or undefined if it has no code. */
export function readerOf(language: Language): 'script' | 'grammar' | undefined {
  if (/^(typescript|javascript|vue|svelte)$/.test(language)) return 'script'
  return /^(css|scss|sass|less)$/.test(language) ? undefined : 'grammar'
}
