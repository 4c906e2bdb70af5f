import { languageOf } from '../../model/languages.ts'
import type { CodeParts } from '../code-parts.ts'
import type { Deadline } from '../servers/deadline.ts'
import type { StagedTexts } from '../servers/staged-texts.ts'
import { ambiguous, type FoundSymbol } from './find-symbol.ts'

export interface OneSymbolParts extends Pick<CodeParts, 'servers'> {
  readonly staged: StagedTexts
  readonly deadline: Deadline
}

/**
 * Several declarations can make up one symbol: a getter and its setter, a constant and the type of its name, interfaces of
 * one name. `ambiguous` where they do not.
 */
export async function demandOneSymbol(
  { servers, staged, deadline }: OneSymbolParts,
  asked: string,
  found: readonly FoundSymbol[],
): Promise<FoundSymbol> {
  const [first, ...others] = found
  if (first && others.length === 0) return first
  if (!first || others.some(each => each.source.path !== first.source.path)) throw ambiguous(asked, found)
  if (await areBeside(found)) return first
  const { source, span } = first
  const all = await servers.ask(source.path, staged, deadline, async server => {
    const places = await server.references(source.path, source.positionOf(span.nameAt), { declarations: true })
    return places.filter(({ uri }) => server.pathOf(uri) === source.path)
  })
  const isKnown = (offset: number) => all.some(({ range }) => source.offsetOf(range.start) === offset)
  if (others.every(each => isKnown(each.span.nameAt))) return first
  throw ambiguous(asked, found)
}

async function areBeside(found: readonly FoundSymbol[]): Promise<boolean> {
  const [{ source, span } = {}] = found
  if (!source || found.some(each => each.span.name !== span?.name)) return false
  if (!['typescript', 'javascript', 'vue'].includes(languageOf(source.path) ?? '')) return false
  const { isSameScope } = await import('../../model/syntax/same-scope.ts')
  return isSameScope(
    source.path,
    source.text,
    found.map(each => each.span),
  )
}
