/** Languages whose files are parsed. */
export type Language =
  | 'typescript'
  | 'javascript'
  | 'vue'
  | 'python'
  | 'go'
  | 'rust'
  | 'java'
  | 'kotlin'
  | 'c'
  | 'cpp'
  | 'csharp'
  | 'ruby'
  | 'php'
  | 'swift'
  | 'css'
  | 'scss'
  | 'sass'
  | 'less'

const BY_ENDING: Readonly<Record<string, Language>> = {
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  vue: 'vue',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  kt: 'kotlin',
  kts: 'kotlin',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hh: 'cpp',
  hpp: 'cpp',
  hxx: 'cpp',
  cs: 'csharp',
  rb: 'ruby',
  rake: 'ruby',
  php: 'php',
  swift: 'swift',
  css: 'css',
  scss: 'scss',
  sass: 'sass',
  less: 'less',
}

/** The language that a file is parsed as; undefined where nothing can be said about its kind. */
export function languageOf(path: string): Language | undefined {
  const dot = path.lastIndexOf('.')
  if (dot <= path.lastIndexOf('/')) return undefined
  const ending = path.slice(dot + 1).toLowerCase()
  return Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined
}
