import { languageOf, readerOf } from '../../../languages/registry.ts'
import { LARGEST } from '../facts/facts-of.ts'
import type { SyntaxFile, Span } from '../../../languages/file-model/syntax-file.ts'
import type { Declaration, FileModel } from '../../../languages/file-model/file-model.ts'
import { namesAround } from '../names-around.ts'

/** Reads a file with exact places; undefined if its language is unknown. */
export async function syntaxOf(path: string, text: string): Promise<SyntaxFile | undefined> {
  const language = languageOf(path)
  const reader = language && readerOf(language)
  if (!reader || text.length > LARGEST) return undefined
  if (reader === 'script') {
    const { scriptOutline } = await import('../../../languages/javascript/javascript-model.ts')
    return outlineSyntax(scriptOutline(path, language, text, { entries: true }))
  }
  const model = await (await import('../grammar/grammar-model.ts')).grammarModel(path, language, text)
  return outlineSyntax(model ?? { symbols: [], error: { at: 0, message: 'It could not be parsed' } })
}

/** The part of an outline or model that symbol edits need. */
const outlineSyntax = ({
  symbols,
  comments = [],
  literals = [],
  error,
}: Pick<FileModel, 'symbols' | 'comments' | 'literals' | 'error'>): SyntaxFile => ({
  spans: spansOf(symbols),
  comments,
  literals,
  ...(error && { error }),
})

function spansOf(symbols: readonly Declaration[]): readonly Span[] {
  const within = namesAround(symbols)
  return symbols.flatMap(symbol => spanOf(symbol, within) ?? [])
}

function spanOf(symbol: Declaration, within: (symbol: Declaration) => readonly string[]): Span | undefined {
  const { name, kind, start, end, nameAt, headAt, body, shares, heads } = symbol
  if (kind === 'test' || name === '' || start === undefined || end === undefined) return undefined
  return {
    name: [...within(symbol), name].join('.'),
    kind,
    start,
    end,
    nameAt: nameAt ?? start,
    headAt: headAt ?? start,
    ...(body && { body }),
    ...(shares && { shares }),
    ...(heads && { heads }),
  }
}
