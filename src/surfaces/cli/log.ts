import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { JournalRecord } from '../../machine/journal/chain.ts'
import { callFiles } from '../../machine/journal/calls.ts'
import { openPayloads } from '../../machine/journal/payloads.ts'
import { readJournal } from '../../machine/journal/read.ts'
import { isCall, isIntent } from '../../machine/journal/record.ts'
import { verifyJournal } from '../../machine/journal/verify.ts'
import { verifyPayloads, type PayloadVerification } from '../../machine/journal/verify-payloads.ts'
import { workspaceState, type WorkspaceState } from '../../machine/state/directory.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { commandLine, type OptionValues } from './command-line.ts'
import { hereIn, workspaceOf } from './find-workspace.ts'
import { LOG_FILTERS, logFilter } from './log-filter.ts'
import { logLines } from './log-line.ts'
import { contractStats, logStats } from './log-stats.ts'
import { openTransactionLines } from './open-transactions.ts'
import { sayPaged } from './pager.ts'
import { painter, say, type Terminal } from './terminal.ts'
import { configurationOf, EXIT, parse, UsageError } from './usage.ts'

/** `toolwright log`: shows what was done here. `log verify`: checks that the record is complete. */
export async function log(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('log', args, {
    tail: { type: 'boolean' },
    stats: { type: 'boolean' },
    last: { type: 'string' },
    head: { type: 'string' },
    contract: { type: 'string' },
    ...LOG_FILTERS,
  })
  const root = workspaceOf(terminal, values)
  const state = workspaceState(root, terminal.env)
  await endInterrupted(state, root, terminal)
  const [verb, id, ...more] = positionals
  if (verb === 'verify') return verify(state, values, terminal)
  if (verb === 'show' && id !== undefined && more.length === 0)
    return (await import('./log-show.ts')).logShow(id, { ...values, root }, terminal)
  if (verb === 'show') throw new UsageError("Give the id of one call, as 'toolwright log' shows it", 'log')
  if (verb !== undefined) throw new UsageError(`'log' has no '${verb}'`, 'log')
  if (values.stats) {
    const some = values.last === undefined ? {} : { last: whole(values.last) }
    const records = readJournal(state.journal, some)
    if (values.contract === undefined) logStats(records, values.json ?? false, terminal)
    else await contractStats(records, values.contract, values.json ?? false, terminal)
    return EXIT.ok
  }
  const isDefault = values.last === undefined && !values.json
  // One more shows whether there are older ones.
  const last = isDefault ? SHOWN + 1 : values.last === undefined ? undefined : whole(values.last)
  const paint = painter(terminal)
  const toolkit = values.json ? await openedFor(root, configurationOf(values), terminal) : undefined
  const show = async (record: JournalRecord): Promise<void> =>
    say(terminal, toolkit ? jsonLine(await toolkit.shown(record)) : logLines(record, paint).join('\n'))
  let lastSeq = 0
  const filter = logFilter(values, Date.now(), { root: resolve(root), here: hereIn(root, terminal.cwd).path })
  const isNews = values.json ? () => true : hideFinished()
  const which = (record: JournalRecord): boolean => isNews(record) && (filter?.(record) ?? true)
  const entries: string[][] = []
  for (const record of readJournal(state.journal, last === undefined ? {} : { last, which })) {
    if (last === undefined && !which(record)) continue
    if (values.json) await show(record)
    else entries.push(logLines(record, paint))
    lastSeq = record.seq
  }
  if (!values.json) {
    if (entries.length === 0) entries.push([filter ? 'No matching calls.' : 'No calls recorded here yet.'])
    if (isDefault && entries.length > SHOWN) entries[0] = [paint('dim', olderWords(values))]
    const open = filter ? [] : openTransactionLines(state.transactions, values)
    const text = [...entries.flat(), ...(open.length > 0 ? ['', ...open] : [])].join('\n')
    if (values.tail) say(terminal, text)
    else sayPaged(terminal, text)
  }
  if (values.tail && filter) lastSeq = newestSeq(state)
  while (values.tail) {
    await pause(200)
    for (const record of readJournal(state.journal, { from: lastSeq + 1 })) {
      if ((values.json || !isIntent(record)) && (filter?.(record) ?? true)) await show(record)
      lastSeq = record.seq
    }
  }
  await toolkit?.close()
  return EXIT.ok
}

/** Opens what decides how much of a record programs may see. */
async function openedFor(root: string, choice: ReturnType<typeof configurationOf>, { env }: Terminal) {
  const [{ openToolkit }, { shownRecord }] = await Promise.all([
    import('../../toolkit.ts'),
    import('./shown-record.ts'),
  ])
  const kit = await openToolkit({ root, env, isBrief: true, ...choice })
  return { shown: (record: JournalRecord) => shownRecord(kit, record), close: () => kit.close() }
}

/** Default number of records for people. */
const SHOWN = 50

const olderWords = (values: OptionValues): string =>
  `Only the newest ${SHOWN}; for more: ${sanitize(commandLine('log', [], { ...values, last: SHOWN * 10 }))}`

/** Returns the number of the newest record, even if a filter skips it. */
const newestSeq = ({ journal }: WorkspaceState): number => [...readJournal(journal, { last: 1 })][0]?.seq ?? 0

/** Opens the workspace once, so that a crashed call gets its record. */
async function endInterrupted({ calls }: WorkspaceState, root: string, { env }: Terminal): Promise<void> {
  if (callFiles(calls).length === 0) return
  const { openWorkspaceAt } = await import('../../machine/workspace-resources.ts')
  try {
    const workspace = await openWorkspaceAt(root, env, Date.now)
    workspace.close()
  } catch {
    // A workspace that cannot be opened still has a log; doctor explains the failure.
  }
}

/** Hides the intent of a finished call. Expects the newest record first. */
function hideFinished(): (record: JournalRecord) => boolean {
  const finishedIds = new Set<string>()
  return record => {
    if (!isCall(record) && !isIntent(record)) return true
    const isNews = !isIntent(record) || !finishedIds.has(record.id)
    finishedIds.add(record.id)
    return isNews
  }
}

function verify(state: WorkspaceState, { head, json }: { head?: string; json?: boolean }, terminal: Terminal): number {
  const verification = verifyJournal(state.journal, { headFile: state.head, ...(head !== undefined && { head }) })
  const payloads = verifyPayloads(state.journal, openPayloads(state.payloads))
  const ok = verification.ok && payloads.ok
  if (json) {
    say(terminal, jsonLine({ ...verification, ok, payloads }))
    return ok ? EXIT.ok : EXIT.failed
  }
  if (verification.ok) {
    say(
      terminal,
      `${painter(terminal)('green', '✓')} ${verification.records} ${verification.records === 1 ? 'record' : 'records'}, whole and in order`,
    )
    if (verification.records > 0)
      say(
        terminal,
        `  Head: ${verification.head}\n  Keep this elsewhere; 'toolwright log verify --head' compares the journal with it.`,
      )
  } else {
    say(terminal, `${painter(terminal)('red', '✗')} The journal was changed or damaged:`)
    for (const { segment, line: at, seq, what } of verification.problems)
      say(
        terminal,
        `  ${sanitize(segment)}${at === undefined ? '' : `:${at}`}${seq === undefined ? '' : ` (record ${seq})`}: ${sanitize(what)}`,
      )
  }
  for (const { seq, tool } of verification.unfinished)
    say(
      terminal,
      `${painter(terminal)('yellow', '!')} Record ${seq}: ${sanitize(tool)} started, and no record says how it ended`,
    )
  tellPayloads(payloads, terminal)
  return ok ? EXIT.ok : EXIT.failed
}

function tellPayloads({ ok, whole: sound, removed, problems }: PayloadVerification, terminal: Terminal): void {
  const removalNote = removed === 0 ? '' : `; ${removed} more were removed to make room, as the journal says`
  if (ok && sound + removed > 0)
    say(
      terminal,
      `${painter(terminal)('green', '✓')} ${sound} stored ${sound === 1 ? 'payload' : 'payloads'}, whole${removalNote}`,
    )
  if (ok) return
  say(
    terminal,
    `${painter(terminal)('red', '✗')} What was stored beside the journal was removed or damaged${removalNote}:`,
  )
  for (const { seq, what } of problems) say(terminal, `  (record ${seq}): ${sanitize(what)}`)
}

function whole(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new UsageError(`'${text}' is not a number of records`, 'log')
}
