import { ToolError } from '../../../kernel/error.ts'
import type { CodeParts } from '../code-parts.ts'
import { unreadMention } from './unread-mention.ts'
import { withDots } from './with-dots.ts'

const MOST_FILES = 50
const HEADER = /\.(h|hh|hpp|hxx)$/i

/** The file that defines a name, as the index says; `no_match` where none does, `ambiguous` where several do. */
export async function definingFile(parts: CodeParts, asked: string): Promise<string> {
  const { index } = parts
  const wanted = withDots(asked)
  const plain = wanted.slice(wanted.lastIndexOf('.') + 1)
  const found = await index.query({ by: 'symbol', value: plain }, { limit: MOST_FILES })
  const defining: string[] = []
  for (const { path } of found.files) {
    const facts = await index.facts(path)
    const isHere = facts?.symbols.some(({ name, within }) => {
      const whole = withDots([...within, name].join('.'))
      return whole === wanted || whole.endsWith(`.${wanted}`)
    })
    if (isHere) defining.push(path)
  }
  // A header only says that there is one.
  const bodies = defining.filter(path => !HEADER.test(path))
  const [only, ...others] = bodies.length > 0 ? bodies : defining
  if (only === undefined)
    throw (
      unreadMention(parts, asked, found) ??
      new ToolError('no_match', `Nothing in the workspace is named '${asked}'`, {
        hint: 'Look for it with grep, or give the file that defines it',
      })
    )
  if (others.length === 0) return only
  throw new ToolError('ambiguous', `'${asked}' is defined in ${others.length + 1} files`, {
    hint: `Give the file that is meant: ${[only, ...others].join(', ')}`,
    details: { paths: [only, ...others] },
  })
}
