import { ToolError } from '../../../../kernel/error.ts'
import { findElision, hasDots, isProse } from '../../../../machine/text/elided-text.ts'
import { spliced, type Splice } from '../../../../machine/text/edit/splice-text.ts'
import { sourceOf } from '../../source.ts'
import type { FoundSymbol } from '../find-symbol.ts'
import type { Span, SyntaxFile } from '../../../model/syntax/syntax-file.ts'
import { parseSyntax } from '../../../model/syntax/parse-syntax.ts'

/** A change that was tried out. */
export interface Tried {
  readonly text: string
  readonly syntax: SyntaxFile
  /** The symbol afterwards; undefined where it is gone. */
  readonly span?: Span
}

/** Makes a change and parses the result. */
export async function tried({ source, span }: FoundSymbol, splice: Splice): Promise<Tried> {
  const text = spliced(source.path, source.text, [splice])
  const syntax = await parseSyntax(source.path, text)
  if (!syntax) throw new Error('A file whose symbols were found is one that is read')
  const shift = splice.end <= span.start ? splice.new.length - splice.old.length : 0
  const after = syntax.spans.find(({ name, start }) => name === span.name && start === span.start + shift)
  return { text, syntax, ...(after && { span: after }) }
}

/** Whether a change leaves a file that parses, where it did before. */
export const parses = (before: SyntaxFile, { syntax }: Tried): boolean => !syntax.error || before.error !== undefined

/** What is said where it does not. */
export function brokenBy(path: string, { text, syntax }: Tried): ToolError {
  const line = syntax.error ? sourceOf(path, text).positionOf(syntax.error.at).line + 1 : undefined
  const where =
    line === undefined ? '' : `, line ${line} of the result: ${text.split(/\r?\n/)[line - 1]?.trim().slice(0, 120)}`
  return new ToolError('invalid_input', `${path} would not parse any more${where}`, {
    hint: syntax.error ? `${syntax.error.message}. Give the code whole` : 'Give the code whole',
  })
}

/** Code that stands for code that was left out is refused. */
export function demandWhole(path: string, text: string, previous: string): void {
  if (text.trim() === '')
    throw new ToolError('invalid_input', 'The code is empty', { hint: 'To take a symbol away, delete it' })
  const isPython = /\.pyi?$/i.test(path)
  const elision = findElision(text, previous, { prose: isProse(path), dots: hasDots(path) || isPython })
  if (!elision) return
  throw new ToolError('invalid_input', `The code leaves something out at line ${elision.line}: ${elision.text}`, {
    hint: 'Write it out',
    details: { elided: elision },
  })
}
