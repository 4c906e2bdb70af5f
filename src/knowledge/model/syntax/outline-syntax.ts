import type { Declaration, FileModel } from '../../../languages/file-model/file-model.ts'
import { namesAround } from '../names-around.ts'
import type { Span, SyntaxFile } from '../../../languages/file-model/syntax-file.ts'

/** The part of an outline or model that symbol edits need. */
export const outlineSyntax = ({
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
