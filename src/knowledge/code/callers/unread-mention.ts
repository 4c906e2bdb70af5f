import { ToolError } from '../../../kernel/error.ts'
import type { IndexAnswer } from '../../index/types.ts'
import type { CodeParts } from '../code-parts.ts'
import { seenText } from '../seen-text.ts'

const MOST_NAMED = 5

/** What is said instead of `no_match` where the name may stand in a file that nobody has read: undefined where it does not. */
export function unreadMention(
  { root, staging, mayRead }: Pick<CodeParts, 'root' | 'staging' | 'mayRead'>,
  name: string,
  { current, unparsed }: Pick<IndexAnswer, 'current' | 'unparsed'>,
): ToolError | undefined {
  if (!current)
    return new ToolError('timeout', `The index is not complete yet, and knows nothing that is named '${name}' so far`, {
      hint: 'Give the file that defines it, or ask again: in the process of a workspace (toolwright up) it goes on meanwhile',
    })
  const plain = name.slice(name.lastIndexOf('.') + 1)
  const lost = unparsed.filter(({ path }) => mayRead(path) && seenText(root, staging, path)?.includes(plain))
  if (lost.length === 0) return undefined
  const named = lost.slice(0, MOST_NAMED).map(({ path, why }) => `${path} (${why})`)
  const more = lost.length > MOST_NAMED ? ` and ${lost.length - MOST_NAMED} more` : ''
  return new ToolError(
    lost.some(({ why }) => why.includes('longer')) ? 'timeout' : 'unavailable',
    `'${name}' may be defined in a file that could not be parsed: ${named.join(', ')}${more}`,
    { hint: 'Look for it with grep', details: { unread: lost.map(({ path }) => path) } },
  )
}
