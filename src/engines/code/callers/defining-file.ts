import { ToolError } from '../../../kernel/error.ts'
import type { IndexEngine } from '../../index/types.ts'

const MOST_FILES = 50

/** The file that defines a name, as the index says; `no_match` where none does, `ambiguous` where several do. */
export async function definingFile(index: IndexEngine, asked: string): Promise<string> {
  const plain = asked.slice(asked.lastIndexOf('.') + 1)
  const { files } = await index.query({ by: 'symbol', value: plain }, { limit: MOST_FILES })
  const defining: string[] = []
  for (const { path } of files) {
    const facts = await index.facts(path)
    const isHere = facts?.symbols.some(({ name, within }) => {
      const whole = [...within, name].join('.')
      return whole === asked || whole.endsWith(`.${asked}`)
    })
    if (isHere) defining.push(path)
  }
  const [only, ...others] = defining
  if (only === undefined)
    throw new ToolError('no_match', `Nothing in the workspace is named '${asked}'`, {
      hint: 'Look for it with grep, or give the file that defines it',
    })
  if (others.length === 0) return only
  throw new ToolError('ambiguous', `'${asked}' is defined in ${defining.length} files`, {
    hint: `Give the file that is meant: ${defining.join(', ')}`,
    details: { paths: defining },
  })
}
