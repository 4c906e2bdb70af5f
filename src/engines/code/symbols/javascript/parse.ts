import { parseSync, type ParseResult, type Program } from 'oxc-parser'
import { mendedText } from '../../../index/facts/javascript/mended-text.ts'

/** Parses a script or module; what does not parse as one is tried as the other. */
export function parse(path: string, text: string): Program {
  const isDeclaration = /\.d\.[cm]?ts$|\.d\.[^./]+\.ts$/i.test(path)
  const lang = isDeclaration ? 'dts' : /\.tsx$/i.test(path) ? 'tsx' : /\.[cm]?ts$/i.test(path) ? 'ts' : 'jsx'
  const [first, second] = /\.c[jt]s$/i.test(path)
    ? (['commonjs', 'module'] as const)
    : (['module', 'commonjs'] as const)
  const result = parseSync(path, text, { lang, sourceType: first, preserveParens: false })
  if (result.errors.length === 0) return result.program
  const other = lang === 'jsx' ? 'tsx' : lang
  const again = parseSync(path, text, { lang: other, sourceType: second, preserveParens: false })
  const isBetter = again.errors.length === 0 || again.program.body.length > result.program.body.length
  if (isBetter) return again.program
  const read = (of: string) => parseSync(path, of, { lang, sourceType: first, preserveParens: false })
  const mended = result.program.body.length === 0 ? mendedText(text, of => gaveUpAt(read(of))) : undefined
  return mended === undefined ? result.program : read(mended).program
}

const gaveUpAt = ({ program, errors }: ParseResult): number | undefined =>
  program.body.length === 0 ? errors[0]?.labels[0]?.start : undefined
