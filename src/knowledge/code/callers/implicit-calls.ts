import { languageAt } from '../../../languages/registry.ts'
import type { CodeParts } from '../code-parts.ts'
import type { CallNode } from './call-node.ts'
import { filesOfLanguage } from './files-of-language.ts'
import type { UseParts } from './mentions.ts'
import { shownPlaces } from './places.ts'

/** Why a function may be called without its name, or by a name in a string. */
export async function implicitCalls(parts: CodeParts & UseParts, node: CallNode): Promise<readonly string[]> {
  const { hasMacros, whyImplicit } = languageAt(node.path)
  const name = /\[[^\]]*\]$|[^.]*$/.exec(node.name)?.[0] ?? node.name
  const isMember = node.name.includes('.')
  const ownTexts = [parts.looks.source(node.path).text]
  if (!hasMacros || isMember) {
    const why = node.isClass ? undefined : whyImplicit?.({ name, isMember, texts: ownTexts })
    return why === undefined ? [] : [why]
  }
  const texts: string[] = []
  const lookups: { readonly path: string; readonly line: number }[] = []
  const lookupPattern = new RegExp(`\\b(?:dlv?sym|GetProcAddress|alias|ifunc|weakref)\\w*\\s*\\([^;{}]*?"${name}"`, 'g')
  for await (const { path, text } of filesOfLanguage(parts, node.path)) {
    if (!text.includes(name)) continue
    texts.push(text)
    const { positionOf } = parts.looks.source(path)
    for (const { index, 0: whole } of text.matchAll(lookupPattern))
      lookups.push({ path, line: positionOf(index + whole.length - 1).line + 1 })
  }
  const why = whyImplicit?.({ name, isMember, texts })
  return [
    ...(why === undefined ? [] : [why]),
    ...(lookups.length > 0 ? [`It is looked up by its name as a string: ${shownPlaces(lookups)}`] : []),
  ]
}
