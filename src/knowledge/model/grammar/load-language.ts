import type { Language } from '../languages.ts'
import type { GrammarLanguage } from './language.ts'

const LOAD: Partial<Record<Language, () => Promise<GrammarLanguage>>> = {
  python: async () => (await import('../languages/python.ts')).python,
  go: async () => (await import('../languages/go.ts')).go,
  rust: async () => (await import('../languages/rust.ts')).rust,
  java: async () => (await import('../languages/java.ts')).java,
  kotlin: async () => (await import('../languages/kotlin.ts')).kotlin,
  c: async () => (await import('../languages/c.ts')).c,
  cpp: async () => (await import('../languages/cpp.ts')).cpp,
  csharp: async () => (await import('../languages/csharp.ts')).csharp,
  ruby: async () => (await import('../languages/ruby.ts')).ruby,
  php: async () => (await import('../languages/php.ts')).php,
  swift: async () => (await import('../languages/swift.ts')).swift,
}

/** Reports whether tree-sitter parses a language. */
export const hasGrammar = (language: Language): boolean => LOAD[language] !== undefined

/** The rules of a language that tree-sitter parses. */
export async function loadLanguage(language: Language): Promise<GrammarLanguage> {
  const load = LOAD[language]
  if (!load) throw new Error(`No grammar for ${language}`)
  return load()
}

/** Headers of C++ may have the extension of C. */
export const languageIn = (path: string, language: Language, text: string): Language =>
  language === 'c' && /\.h$/i.test(path) && CPP.test(text) ? 'cpp' : language

const CPP =
  /^[ \t]*(namespace\s+[\w:]*\s*\{|class\s+\w+[\w\s]*[:{;]|template\s*<|using\s+(namespace\s|\w+\s*=)|(public|private|protected)\s*:)/m
