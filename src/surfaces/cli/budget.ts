import type { Ledger, Spent } from '../../machine/state/ledger.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { openToolkit, type Toolkit } from '../../toolkit.ts'
import { formatBytes } from '../render/format-bytes.ts'
import { workspaceOf } from './find-workspace.ts'
import { say, type Terminal } from './terminal.ts'
import { configurationOf, EXIT, parse, UsageError } from './usage.ts'

/** `toolwright budget`: shows what tasks have spent. A person can reset a task's budgets; the journal records it. */
export async function budget(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('budget', args, {})
  const [verb = 'list', task, ...more] = positionals
  if (verb !== 'list' && verb !== 'reset') throw new UsageError(`'budget' has no '${verb}'`, 'budget')
  if ((verb === 'reset') !== (task !== undefined) || more.length > 0)
    throw new UsageError(
      verb === 'reset' ? 'Name one task, e.g. budget reset Button' : "'budget list' takes no arguments",
      'budget',
    )
  const kit = await openToolkit({
    root: workspaceOf(terminal, values),
    env: terminal.env,
    isBrief: true,
    ...configurationOf(values),
  })
  try {
    if (task !== undefined) return reset(kit, task, values.json ?? false, terminal)
    list(kit.workspace.ledger, values.json ?? false, terminal)
    return EXIT.ok
  } finally {
    await kit.close()
  }
}

function list(ledger: Ledger, isJson: boolean, terminal: Terminal): void {
  const all = ledger.all()
  if (isJson) return say(terminal, jsonLine(all))
  if (all.length === 0) return say(terminal, 'Nothing is spent.')
  for (const entry of all) say(terminal, `${sanitize(entry.task)}  ${inWords(entry)}`)
}

function reset(kit: Toolkit, task: string, isJson: boolean, terminal: Terminal): number {
  const entries = resetBudget(kit, task, terminal.env['USER'] ?? 'user')
  if (isJson) say(terminal, jsonLine(entries))
  else if (entries.length === 0) say(terminal, `'${sanitize(task)}' has spent nothing here.`)
  else for (const entry of entries) say(terminal, `Given back to '${sanitize(task)}': ${inWords(entry)}`)
  return entries.length > 0 ? EXIT.ok : EXIT.failed
}

/** Gives a task its budgets back, and journals who did. Returns what was spent. */
export function resetBudget({ workspace: { ledger, journal } }: Toolkit, task: string, by: string): readonly Spent[] {
  let entries: readonly Spent[] = []
  ledger.giveBack(task, spent => {
    entries = spent
    if (spent.length === 0) return
    const spentByTool = spent.map(({ tool, calls, bytes }) => ({ tool, calls, bytes }))
    journal.append({ type: 'budget', change: 'reset', task, spent: spentByTool, by }, { durable: true })
  })
  return entries
}

const inWords = ({ tool, calls, bytes, concurrent }: Spent): string =>
  [
    `${sanitize(tool)}  ${calls} ${calls === 1 ? 'call' : 'calls'}`,
    ...(bytes > 0 ? [formatBytes(bytes)] : []),
    ...(concurrent > 0 ? [`${concurrent} of them running`] : []),
  ].join(', ')
