import { parseSync, type ParseResult } from 'oxc-parser'

export interface Source {
  readonly result: ParseResult
  /** A declaration file, where everything is ambient. */
  readonly isDeclaration: boolean
}

/** Parses a script or module. JSX is read in any JavaScript file, as bundlers do. */
export function parse(path: string, text: string): Source {
  const isDeclaration = /\.d\.[cm]?ts$|\.d\.[^./]+\.ts$/i.test(path)
  const lang = isDeclaration ? 'dts' : /\.tsx$/i.test(path) ? 'tsx' : /\.[cm]?ts$/i.test(path) ? 'ts' : 'jsx'
  const kinds = /\.c[jt]s$/i.test(path) ? (['commonjs', 'module'] as const) : (['module', 'commonjs'] as const)
  const [first, second] = kinds
  const result = parseSync(path, text, { lang, sourceType: first, preserveParens: false })
  // Sloppy code is no module, and the other way about: what is read without complaint counts.
  if (result.errors.length === 0) return { result, isDeclaration }
  const again = parseSync(path, text, {
    lang: lang === 'jsx' ? 'tsx' : lang,
    sourceType: second,
    preserveParens: false,
  })
  const isBetter = again.errors.length === 0 || again.program.body.length > result.program.body.length
  return { result: isBetter ? again : result, isDeclaration }
}
