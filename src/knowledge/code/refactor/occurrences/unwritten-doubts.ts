import { whyCalledUnwritten } from '../../../model/called-unwritten.ts'
import { languageOf } from '../../../model/languages.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Deadline } from '../../servers/deadline.ts'
import type { Sources } from '../../source.ts'
import { filesWith } from './find-occurrences.ts'
import { isSameFamily } from './judge.ts'
import type { Occurrence } from './occurrence.ts'
import type { Target } from './target.ts'

/** The declaration of what is called where nobody writes its name: without it, or under another name, it is not. */
export async function unwrittenDoubts(
  parts: CodeParts,
  sources: Sources,
  { path, old, scope, places }: Target,
  deadline: Deadline,
): Promise<readonly Occurrence[]> {
  const [place] = places
  const language = languageOf(path) ?? ''
  if (!place || scope === 'local') return []
  // A header may declare how a function of C is called.
  const files = /^c(pp)?$/.test(language)
    ? (await filesWith(parts, old, deadline)).filter(each => isSameFamily(each, path) && parts.mayRead(each))
    : [path]
  const texts = files.map(each => sources(each).text)
  const why = whyCalledUnwritten({ language, name: old, isMember: scope === 'member', texts })
  if (why === undefined) return []
  const start = sources(place.path).offsetOf(place.position)
  const at = { path: place.path, start, end: start + old.length }
  return [{ ...at, kind: 'declaration', verdict: 'not decided', why, blocks: true }]
}
