import { asking } from './ask-tool.ts'
import { moreLine } from './command-line.ts'
import { MOST_SKIPPED, numberOption } from './number-option.ts'
import { OWN_OPTIONS } from './own-options.ts'
import { screenOf } from './pager.ts'
import { pathsFromHere } from './paths-from-here.ts'
import { printPath } from './print-path.ts'
import { warn, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'
import { warnUnreadable, type UnreadableAnswer } from './warn-unreadable.ts'

interface FindAnswer extends UnreadableAnswer {
  readonly files: readonly string[]
  readonly total: number
  readonly filesHidden: number
  readonly next?: { readonly skip: number }
}

const MOST = 10_000

/** `toolwright find`: lists files that match a glob, one per line. */
export async function find(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('find', args, OWN_OPTIONS.find)
  const [glob, path, ...more] = positionals
  if (glob === undefined || more.length > 0)
    throw new UsageError("Give a glob and at most one directory, e.g. find '*.ts' src", 'find')
  const input = {
    glob,
    ...(values['no-hidden'] && { hidden: false }),
    ...(values.strict && { strict: true }),
    limit: values.limit === undefined ? MOST : numberOption(values.limit, '--limit', 'find', { least: 1, most: MOST }),
    ...(values.skip !== undefined && { skip: numberOption(values.skip, '--skip', 'find', { most: MOST_SKIPPED }) }),
  }
  return asking(terminal, values, async ({ ask, here }) => {
    const answer = await ask<FindAnswer>('find', { ...input, path: path === undefined ? here.path : here.typed(path) })
    if (typeof answer === 'number') return answer
    const answerFromHere = pathsFromHere(answer, here)
    const { files, total, next, filesHidden } = answerFromHere
    if (!values.json) {
      const screen = screenOf(terminal)
      for (const file of files) printPath(screen.page, file)
      screen.show()
      if (next)
        warn(
          terminal,
          `Shown up to ${next.skip} of ${total} files. ${moreLine('find', positionals, { ...values, ...next })}`,
        )
      warnUnreadable(terminal, answerFromHere)
      if (filesHidden > 0)
        warn(terminal, `${filesHidden} ${filesHidden === 1 ? 'file was' : 'files were'} left out by rules`)
    }
    return total > 0 ? EXIT.ok : EXIT.failed
  })
}
