import { inert } from '../../kernel/inert.ts'
import { asking, ASKING } from './ask-tool.ts'
import { callTree, type CallersAnswer } from './call-tree.ts'
import { numberOption } from './number-option.ts'
import { say, warn, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

const MOST = 5_000

/** `toolwright callers`: whoever calls a function, as a tree with the function at its root. */
export async function callers(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('callers', args, {
    ...ASKING,
    file: { type: 'string' },
    depth: { type: 'string' },
  })
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0)
    throw new UsageError('Give the name of one function, e.g. callers fetchUser --file src/api.ts', 'callers')
  const input = {
    name,
    limit: MOST,
    ...(values.file !== undefined && { path: values.file }),
    ...(values.depth !== undefined && {
      depth: numberOption(values.depth, '--depth', 'callers', { least: 1, most: 10 }),
    }),
  }
  return asking(terminal, values, async ({ ask }) => {
    const answer = await ask<CallersAnswer>('callers', input)
    if (typeof answer === 'number') return answer
    const { total, basis, partial, unread = [] } = answer
    if (!values.json) {
      for (const line of callTree(answer)) say(terminal, inert(line))
      const by = basis === 'syntax' ? 'read from the text, no language server' : `by ${basis}`
      warn(terminal, `${total === 0 ? 'Nobody calls it' : `${total} ${total === 1 ? 'call' : 'calls'}`} (${by})`)
      if (unread.length > 0) warn(terminal, inert(`Some may be missing: these do not parse: ${unread.join(', ')}`))
      else if (partial)
        warn(
          terminal,
          'Some may be missing: the time was over, or nobody can say what is meant where the name is written',
        )
    }
    return total > 0 ? EXIT.ok : EXIT.failed
  })
}
