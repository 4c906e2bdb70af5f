import { inert } from '../../kernel/inert.ts'
import { asking, ASKING } from './ask-tool.ts'
import { callTree, openCalls, type CallersAnswer } from '../render/call-tree.ts'
import { numberOption } from './number-option.ts'
import { say, warn, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

const MOST = 5_000
const MORE_TIME =
  'Give it more time with --wait SECONDS, or ask again: in the process of the workspace (toolwright up) it goes on meanwhile'

/** `toolwright callers`: whoever calls a function, as a tree with the function at its root. */
export async function callers(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('callers', args, {
    ...ASKING,
    file: { type: 'string' },
    depth: { type: 'string' },
    wait: { type: 'string' },
  })
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0)
    throw new UsageError('Give the name of one function, e.g. callers fetchUser --file src/api.ts', 'callers')
  const input = {
    name,
    limit: MOST,
    ...(values.depth !== undefined && {
      depth: numberOption(values.depth, '--depth', 'callers', { least: 1, most: 10 }),
    }),
    ...(values.wait !== undefined && {
      waitMs: numberOption(values.wait, '--wait', 'callers', { least: 0, most: 600 }) * 1000,
    }),
  }
  return asking(terminal, values, async ({ ask, here }) => {
    const asked = { ...input, ...(values.file !== undefined && { path: here.typed(values.file) }) }
    const answer = await ask<CallersAnswer>('callers', asked, { hints: { timeout: MORE_TIME } })
    if (typeof answer === 'number') return answer
    const { total, possible, basis, provisional, why } = answer
    if (!values.json) {
      for (const line of [...callTree(answer), ...openCalls(answer)]) say(terminal, inert(line))
      const by = basis === 'syntax' ? 'read from the text, no language server' : `by ${basis}`
      const certain = total === 0 ? 'Nobody calls it for certain' : `${total} ${total === 1 ? 'call' : 'calls'}`
      const counted = answer.partial ? certain : certain.replace(' for certain', '')
      warn(terminal, `${counted}${possible.length > 0 ? `, ${possible.length} possible` : ''} (${by})`)
      if (why !== undefined)
        warn(terminal, inert(`${provisional ? 'Provisional: ' : ''}${why.replace('"waitMs"', '--wait SECONDS')}`))
    }
    return total > 0 ? EXIT.ok : EXIT.failed
  })
}
