import { ToolError } from '../../../../kernel/error.ts'
import { languageOf } from '../../../model/languages.ts'
import type { CodeParts } from '../../code-parts.ts'
import { isCalledByItself, signOf } from '../../../model/called-by-signs.ts'
import { syntacticCallers } from '../../syntactic/callers.ts'
import type { FoundSymbol } from '../find-symbol.ts'

/** Refuses what is called where nobody writes its name, unless the text says that nobody does: `conflict`. */
export async function demandNoSigns(
  parts: CodeParts,
  { source, span }: FoundSymbol,
  { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal?: AbortSignal },
): Promise<void> {
  const language = languageOf(source.path) ?? ''
  const name = span.name.slice(span.name.lastIndexOf('.') + 1)
  const head = source.text.slice(span.start, span.body?.start ?? span.end)
  const isMember = span.kind === 'method' || !/^\w+$/.test(name)
  if (signOf(language, name, head) === undefined && !(isMember && isCalledByItself(language, name))) return
  const question = { name: span.name, deadlineMs, depth: 1, ...(signal && { signal }) }
  const { callers, partial } = await syntacticCallers(parts, source.path, question)
  const places = callers.map(({ path, line }) => `${path}:${line}`)
  if (places.length === 0 && !partial) return
  const where = places.length > 0 ? `: ${places.slice(0, 20).join(', ')}` : ', as the language calls it by itself'
  throw new ToolError('conflict', `'${span.name}' may be called where its name is not written${where}`, {
    hint: 'No language server was asked: look at what uses it, and edit by text where nothing does',
    details: { references: callers.slice(0, 200).map(({ path, line }) => ({ path, line })) },
  })
}
