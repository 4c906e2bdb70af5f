import type { Splice } from '../../../text/edit/splice-text.ts'
import { languageOf } from '../../../index/facts/languages.ts'
import type { Stretch } from '../syntax/syntax-file.ts'
import type { Sources } from '../source.ts'
import { wordOf } from '../word-of.ts'

const MOST = 10

/** Where the old name is still written in texts of the files that change: nobody can tell whether it is meant there. */
export async function stillWritten(
  changes: ReadonlyMap<string, readonly Splice[]>,
  sources: Sources,
  old: string,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const [path, splices] of changes) {
    const source = sources(path)
    const isChanged = ({ start, end }: Stretch) => splices.some(each => each.start >= start && each.end <= end)
    for (const text of await textsIn(path, source.text))
      if (wordOf(old).test(source.text.slice(text.start, text.end)) && !isChanged(text))
        found.push(`${path}:${source.positionOf(text.start).line + 1}`)
  }
  if (found.length === 0) return []
  const more = found.length > MOST ? ` and ${found.length - MOST} more` : ''
  return [`'${old}' is still written in texts, which are not followed: ${found.slice(0, MOST).join(', ')}${more}`]
}

/** Texts of a script without the names of modules it imports; of other languages what stands in quotes on one line. */
async function textsIn(path: string, text: string): Promise<readonly Stretch[]> {
  const language = languageOf(path)
  if (language === 'typescript' || language === 'javascript')
    return (await import('../syntax/script-texts.ts')).scriptTexts(path, text)
  return Array.from(text.matchAll(/(["'`])(?:\\.|(?!\1)[^\\\n])*\1/g), ({ index, 0: whole }) => ({
    start: index,
    end: index + whole.length,
  }))
}
