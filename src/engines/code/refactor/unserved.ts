import { languageOf } from '../../index/facts/languages.ts'
import type { CodeParts } from '../code-parts.ts'
import { useAt, type Use } from './remove/uses-of.ts'
import type { Sources } from './source.ts'
import { wordOf } from './word-of.ts'

const MOST = 5_000

/** Where components, which the server of their scripts does not read, write a name. */
export async function unservedUses(
  { index, mayRead }: Pick<CodeParts, 'index' | 'mayRead'>,
  sources: Sources,
  path: string,
  name: string,
): Promise<readonly Use[]> {
  const language = languageOf(path)
  if (language !== 'typescript' && language !== 'javascript') return []
  const { files } = await index.query({ by: 'tag', value: 'vue' }, { limit: MOST })
  return files
    .filter(file => languageOf(file.path) === 'vue' && mayRead(file.path))
    .flatMap(file =>
      Array.from(sources(file.path).text.matchAll(wordOf(name, 'gu')), ({ index: at }) =>
        useAt(sources, file.path, at),
      ),
    )
}

const SHOWN = 10

/** What is said of them where they are not followed. */
export function unfollowed(name: string, uses: readonly Use[]): readonly string[] {
  const places = [...new Set(uses.map(({ path, line }) => `${path}:${line}`))]
  if (places.length === 0) return []
  const more = places.length > SHOWN ? ` and ${places.length - SHOWN} more` : ''
  return [`Components are not followed, and write '${name}' in ${places.slice(0, SHOWN).join(', ')}${more}`]
}
