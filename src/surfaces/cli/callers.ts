import { sanitize } from '../../kernel/sanitize.ts'
import { asking } from './ask-tool.ts'
import { callTree, openCalls, type CallersAnswer } from '../render/call-tree.ts'
import { moreLine } from './command-line.ts'
import { MOST_SKIPPED, numberOption } from './number-option.ts'
import { OWN_OPTIONS } from './own-options.ts'
import { sayPaged } from './pager.ts'
import { pathsFromHere } from './paths-from-here.ts'
import { warn, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

const MOST = 5_000
const MORE_TIME =
  'Give it more time with --wait SECONDS, or ask again: the resident process (toolwright up) keeps loading it'

/** `toolwright callers`: shows the callers of a function as a tree with the function at its root. */
export async function callers(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('callers', args, OWN_OPTIONS.callers)
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0)
    throw new UsageError('Give the name of one function, e.g. callers fetchUser --file src/api.ts', 'callers')
  const input = {
    name,
    limit:
      values.limit === undefined ? MOST : numberOption(values.limit, '--limit', 'callers', { least: 1, most: MOST }),
    ...(values.skip !== undefined && { skip: numberOption(values.skip, '--skip', 'callers', { most: MOST_SKIPPED }) }),
    ...(values.depth !== undefined && {
      depth: numberOption(values.depth, '--depth', 'callers', { least: 1, most: 10 }),
    }),
    ...(values.wait !== undefined && {
      waitMs: numberOption(values.wait, '--wait', 'callers', { least: 0, most: 600 }) * 1000,
    }),
  }
  return asking(terminal, values, async ({ ask, here }) => {
    const query = { ...input, ...(values.file !== undefined && { path: here.typed(values.file) }) }
    const answer = await ask<CallersAnswer>('callers', query, { hints: { timeout: MORE_TIME } })
    if (typeof answer === 'number') return answer
    const { total, possibleTotal, next, basis, provisional, why } = answer
    if (!values.json) {
      const answerFromHere = pathsFromHere(answer, here)
      sayPaged(
        terminal,
        [...callTree(answerFromHere), ...openCalls(answerFromHere)].map(line => sanitize(line)).join('\n'),
      )
      const by = basis === 'syntax' ? 'read from the text, no language server' : `by ${basis}`
      const certain = total === 0 ? 'No certain callers' : `${total} ${total === 1 ? 'call' : 'calls'}`
      const countText = answer.partial ? certain : certain.replace(' for certain', '')
      warn(terminal, `${countText}${possibleTotal > 0 ? `, ${possibleTotal} possible` : ''} (${by})`)
      if (next)
        warn(
          terminal,
          `Shown up to ${next.skip} of ${total} calls. ${moreLine('callers', positionals, { ...values, ...next })}`,
        )
      if (why !== undefined)
        warn(terminal, sanitize(`${provisional ? 'Provisional: ' : ''}${why.replace('"waitMs"', '--wait SECONDS')}`))
    }
    return total > 0 ? EXIT.ok : EXIT.failed
  })
}
