import { signal } from '@preact/signals'

/** A piece of a line with one colour. */
export interface Token {
  readonly text: string
  readonly kind: string | undefined
}

type Highlighter = (text: string, language: string) => readonly (readonly Token[])[]

/** Loaded when the first code is shown; until then code has no colours. */
const highlighter = signal<Highlighter | undefined>(undefined)
let isLoading = false

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  py: 'python',
  rs: 'rust',
  go: 'go',
  java: 'java',
  kt: 'kotlin',
  swift: 'swift',
  c: 'c',
  h: 'c',
  cpp: 'cpp',
  cc: 'cpp',
  hpp: 'cpp',
  cs: 'csharp',
  rb: 'ruby',
  php: 'php',
  sh: 'bash',
  bash: 'bash',
  json: 'json',
  yml: 'yaml',
  yaml: 'yaml',
  toml: 'ini',
  ini: 'ini',
  md: 'markdown',
  css: 'css',
  scss: 'scss',
  html: 'xml',
  xml: 'xml',
  svg: 'xml',
  sql: 'sql',
  diff: 'diff',
  lua: 'lua',
}

/** Returns the language of a file by its name; undefined if it has no colours. */
export const languageOf = (path: string): string | undefined =>
  LANGUAGES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']

/** Longer texts would keep the page from answering. */
const LONGEST = 60_000

/** Returns the tokens of each line; undefined while there are no colours for it. */
export function tokensOf(text: string, language: string | undefined): readonly (readonly Token[])[] | undefined {
  if (language === undefined || text.length > LONGEST) return undefined
  if (highlighter.value) return highlighter.value(text, language)
  if (!isLoading) {
    isLoading = true
    void import('./highlight.ts').then(({ highlight }) => (highlighter.value = highlight))
  }
  return undefined
}
