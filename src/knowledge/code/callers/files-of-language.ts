import { isScriptFile, languageAt } from '../../../languages/registry.ts'
import type { CodeParts } from '../code-parts.ts'
import { visibleText } from '../visible-text.ts'

const AT_ONCE = 2000

interface SourceText {
  readonly path: string
  readonly text: string
}

/** Files of the same language, or of one that shares its server, as staged. Leaves out files that may not be read. */
export async function* filesOfLanguage(parts: CodeParts, path: string): AsyncGenerator<SourceText> {
  const { root, staging, index, mayRead } = parts
  for (let skip = 0; ; skip += AT_ONCE) {
    const { files, total } = await index.query({ by: 'all' }, { limit: AT_ONCE, skip })
    for (const file of files) {
      if (!isLike(file.path, path) || !mayRead(file.path)) continue
      const text = visibleText(root, staging, file.path)
      if (text !== undefined) yield { path: file.path, text }
    }
    if (skip + AT_ONCE >= total) return
  }
}

/** Reports whether two files are of the same language, or of one that shares its server. */
export function isLike(path: string, other: string): boolean {
  const [one, two] = [languageAt(path), languageAt(other)]
  return (
    one === two || (isScriptFile(path) && isScriptFile(other)) || (one.hasHeaders === true && two.hasHeaders === true)
  )
}
