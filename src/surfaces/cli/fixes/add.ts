import { jsonLine } from '../../../kernel/json-line.ts'
import { sanitize } from '../../../kernel/sanitize.ts'
import type { NewFix } from '../../../knowledge/memory/fix.ts'
import { mergedChange } from '../../../knowledge/memory/merge-fix.ts'
import type { FoundFix } from '../../../knowledge/memory/types.ts'
import { typedLine } from '../ask.ts'
import { say, warn, type Terminal } from '../terminal.ts'
import { EXIT, UsageError } from '../usage.ts'
import { fixFrom } from './fix-input.ts'
import { duringWork, fixText, similarLines } from './fix-text.ts'
import type { FixWork } from './fix-work.ts'

/** `fixes add`: stores a fix, or offers to merge it into one that says the same. */
export async function addFix(work: FixWork): Promise<number> {
  const { store, rest, values, terminal, signal } = work
  if (rest.some(word => word !== '-'))
    throw new UsageError("'fixes add' takes options, or JSON on standard input", 'fixes')
  const { into } = values
  const fix = await fixFrom(values, terminal)
  if (into !== undefined) return merge(work, fix, into)
  const evenIfSimilar = values['even-if-similar'] === true
  const addition = await duringWork(terminal, 'Storing', store.add(fix, { evenIfSimilar }, signal))
  if ('stored' in addition) {
    say(terminal, values.json ? jsonLine(addition) : `Stored ${addition.stored.id}`)
    return EXIT.ok
  }
  return offerMerge(work, fix, addition.duplicates)
}

async function offerMerge(work: FixWork, fix: NewFix, duplicates: readonly FoundFix[]): Promise<number> {
  const { store, values, terminal, signal } = work
  const [nearest] = duplicates
  if (values.json) {
    say(terminal, jsonLine({ duplicates }))
    return EXIT.failed
  }
  warn(terminal, 'Not stored: these say the same.')
  for (const line of similarLines(duplicates, terminal)) warn(terminal, line)
  const isPerson = terminal.stdin.isTTY === true && terminal.stderr.isTTY === true
  if (!isPerson || !nearest) {
    warn(terminal, `Merge it: --into ${sanitize(nearest?.fix.id ?? 'ID')}. Store it anyway: --even-if-similar`)
    return EXIT.failed
  }
  const answer = await typedLine(
    terminal,
    `Merge it into ${sanitize(nearest.fix.id)}? (y)es, (s)tore it anyway, (N)o: `,
  )
  if (/^y(es)?$/i.test(answer.trim())) return merge(work, fix, nearest.fix.id)
  if (!/^s(tore)?$/i.test(answer.trim())) return EXIT.failed
  const addition = await store.add(fix, { evenIfSimilar: true }, signal)
  if ('stored' in addition) say(terminal, `Stored ${addition.stored.id}`)
  return EXIT.ok
}

async function merge({ store, values, terminal, signal }: FixWork, fix: NewFix, into: string): Promise<number> {
  const change = store.change(into, known => mergedChange(known, fix), signal)
  const mergedFix = await duringWork(terminal, 'Storing', change)
  say(terminal, values.json ? jsonLine({ stored: mergedFix }) : mergedText(mergedFix, terminal))
  return EXIT.ok
}

const mergedText = (fix: Parameters<typeof fixText>[0], terminal: Terminal): string =>
  `Merged into ${sanitize(fix.id)}\n${fixText(fix, terminal)}`
