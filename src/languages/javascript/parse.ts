import * as oxc from 'oxc-parser'
import { isComponentFile } from '../registry.ts'
import { scriptOnly } from './script-only.ts'
import { repairedText } from './repaired-text.ts'

/** A script or module as the parser sees it. */
export interface ParsedScript extends Pick<oxc.ParseResult, 'program' | 'comments' | 'errors'> {
  /** The parsed text: for a component its scripts at their offsets, with everything else blanked. */
  readonly text: string
  /** A declaration file, in which everything is ambient. */
  readonly isDeclaration: boolean
}

/** Parses a script or module; for a component its scripts at their offsets. */
export function parse(path: string, text: string): ParsedScript {
  if (!isComponentFile(path)) return parseScript(path, text)
  const script = scriptOnly(text)
  return parseScript(`${path}.${script.ending}`, script.text)
}

/**
 * Tries a module first and then a script, or the other way round. Accepts JSX in any JavaScript file, as bundlers do.
 * If a text has an error, reads the rest.
 */
function parseScript(path: string, text: string): ParsedScript {
  const isDeclaration = /\.d\.[cm]?ts$|\.d\.[^./]+\.ts$/i.test(path)
  const lang = isDeclaration ? 'dts' : /\.tsx$/i.test(path) ? 'tsx' : /\.[cm]?ts$/i.test(path) ? 'ts' : 'jsx'
  const kinds = /\.c[jt]s$/i.test(path) ? (['commonjs', 'module'] as const) : (['module', 'commonjs'] as const)
  const read = (sourceType: 'commonjs' | 'module', as: NonNullable<oxc.ParserOptions['lang']>, of = text) =>
    parseRaw(path, of, { lang: as, sourceType, preserveParens: false })
  const first = read(kinds[0], lang)
  if (first.errors.length === 0) return scriptOf(first)
  const second = read(kinds[1], lang === 'jsx' ? 'tsx' : lang)
  const { length } = first.program.body
  if (second.errors.length === 0 || second.program.body.length > length) return scriptOf(second)
  const repairedSource = length === 0 ? repairedText(text, of => gaveUpAt(read(kinds[0], lang, of))) : undefined
  return scriptOf(first, repairedSource === undefined ? first.program : read(kinds[0], lang, repairedSource).program)

  function scriptOf({ program, comments, errors }: oxc.ParseResult, better = program): ParsedScript {
    return { program: better, comments, errors, isDeclaration, text }
  }
}

const gaveUpAt = ({ program, errors }: oxc.ParseResult): number | undefined =>
  program.body.length === 0 ? errors[0]?.labels[0]?.start : undefined

/** An option that oxc's types lack: reads the tree from the parser's memory instead of serialized text. */
type RawOptions = oxc.ParserOptions & { readonly experimentalRawTransfer?: boolean }

let isRaw: boolean | undefined

function parseRaw(path: string, text: string, options: oxc.ParserOptions): oxc.ParseResult {
  isRaw ??= canBeRaw()
  return oxc.parseSync(path, text, { ...options, experimentalRawTransfer: isRaw } as RawOptions)
}

/** Not every system allows the address space that this needs. */
function canBeRaw(): boolean {
  try {
    if (!oxc.rawTransferSupported()) return false
    const options: RawOptions = { lang: 'js', experimentalRawTransfer: true }
    return oxc.parseSync('a.js', '', options).errors.length === 0
  } catch {
    return false
  }
}
