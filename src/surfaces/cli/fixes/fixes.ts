import { once } from 'node:events'
import { egressOf } from '../../../guards/egress/egress.ts'
import { jsonLine } from '../../../kernel/json-line.ts'
import { ToolError } from '../../../kernel/error.ts'
import { sanitize } from '../../../kernel/sanitize.ts'
import { memoryFailure, unknownFix } from '../../../knowledge/memory/failure.ts'
import { verdictChange } from '../../../knowledge/memory/fix.ts'
import type { FixStore } from '../../../knowledge/memory/types.ts'
import { openToolkit, type Toolkit } from '../../../toolkit.ts'
import { workspaceOf } from '../find-workspace.ts'
import { MOST_SKIPPED, numberOption } from '../number-option.ts'
import { say, warn, type Terminal } from '../terminal.ts'
import { configurationOf, EXIT, parse, UsageError } from '../usage.ts'
import { addFix } from './add.ts'
import { exportFixes, importFixes } from './transfer.ts'
import { changeOf } from './fix-input.ts'
import { ensureOwnOptions, filterOf, FIX_OPTIONS, type FixValues, type FixWork } from './fix-work.ts'
import { checkLines, duringWork, fixLine, fixText, foundLines } from './fix-text.ts'

/** A person waits longer for a server than a model does. */
const REQUEST_MS = 30_000
const EMBED_MS = 30_000
const LISTED = 50
const FOUND = 5
const MOST = 1_000

/** `toolwright fixes`: keeps and finds past fixes. A person's own doing, so nothing is asked. */
export async function fixes(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('fixes', args, FIX_OPTIONS)
  const [verb = 'list', ...rest] = positionals
  const work = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  if (!work) throw new UsageError(`'fixes' has no '${verb}'`, 'fixes', { typed: verb, known: Object.keys(VERBS) })
  ensureOwnOptions(verb, values)
  const kit = await openToolkit({
    root: workspaceOf(terminal, values),
    env: terminal.env,
    isBrief: true,
    ...configurationOf(values),
  })
  const stop = new AbortController()
  const interrupt = (): void => stop.abort(new ToolError('cancelled', 'Interrupted'))
  process.once('SIGINT', interrupt)
  try {
    if (values.repair) await repair(kit, terminal)
    const egress = egressOf(kit.policy())
    const store = await (await kit.fixes.load()).open({ network: 'system', egress, requestMs: REQUEST_MS })
    return await work({ store, kit, rest, values, terminal, signal: stop.signal })
  } finally {
    process.off('SIGINT', interrupt)
    await kit.close()
  }
}

const VERBS: Readonly<Record<string, (work: FixWork) => Promise<number>>> = {
  add: addFix,
  import: importFixes,
  export: exportFixes,

  async list({ store, rest, values, terminal, signal }) {
    if (rest.length > 0) throw new UsageError("'fixes list' takes only options; 'fixes search' finds by words", 'fixes')
    const page = { limit: limitOf(values, LISTED), skip: skipOf(values) }
    const filter = filterOf(values)
    const { fixes: fixesOnPage, total } = await store.list({ filter, ...page }, signal)
    if (values.json) {
      say(terminal, jsonLine({ fixes: fixesOnPage, total }))
      return EXIT.ok
    }
    for (const fix of fixesOnPage) say(terminal, fixLine(fix, terminal))
    const end = page.skip + fixesOnPage.length
    const isFiltered = Object.values(filter).some(value => value !== undefined)
    if (total === 0 && isFiltered) say(terminal, 'No stored fix passes these filters')
    else if (total === 0) say(terminal, 'No fix is stored. Record one: toolwright fixes add')
    else if (end < total) warn(terminal, `Shown up to ${end} of ${total}. There is more: --skip ${end}`)
    return EXIT.ok
  },

  async show({ store, rest, values, terminal, signal }) {
    const fix = await requireFix(store, oneId(rest), signal)
    say(terminal, values.json ? jsonLine(fix) : fixText(fix, terminal))
    return EXIT.ok
  },

  async search({ store, rest, values, terminal, signal }) {
    const text = rest.join(' ').trim()
    if (text === '') throw new UsageError('Give the words of an error: fixes search "cannot read property of"', 'fixes')
    const query = { text, filter: filterOf(values), limit: limitOf(values, FOUND), embedWithinMs: EMBED_MS }
    try {
      const searchResult = values.words
        ? await store.searchWords(query, signal)
        : await duringWork(terminal, 'Searching', store.search(query, signal))
      if (values.json) say(terminal, jsonLine(searchResult))
      else for (const line of foundLines(searchResult, terminal)) say(terminal, line)
      return EXIT.ok
    } catch (error) {
      if (memoryFailure(error) !== 'no_results') throw error
      say(terminal, values.json ? jsonLine({ results: [], totalFound: 0 }) : 'Nothing found.')
      return EXIT.failed
    }
  },

  async edit({ store, rest, values, terminal, signal }) {
    const id = oneId(rest)
    const change = await changeOf(values, terminal)
    const fix = await duringWork(terminal, 'Storing', store.change(id, change, signal))
    say(terminal, values.json ? jsonLine(fix) : fixText(fix, terminal))
    return EXIT.ok
  },

  async validate({ store, rest, values, terminal, signal }) {
    const verdict = values.refute ? 'refuted' : 'validated'
    const id = oneId(rest)
    const fix = await store.change(id, stored => verdictChange(verdict, stored), signal)
    say(terminal, values.json ? jsonLine(fix) : `${fix.id} ${verdict}`)
    return EXIT.ok
  },

  async remove({ store, rest, values, terminal, signal }) {
    const fix = await store.remove(oneId(rest), signal)
    say(terminal, values.json ? jsonLine(fix) : `${fix.id} removed`)
    return EXIT.ok
  },

  async doctor({ store, values, terminal, signal }) {
    if (!store.doctor)
      throw new ToolError('unavailable', 'The fixes are on a ChromaDB server, which is checked with its own tools', {
        hint: 'For vectors of another model: fixes export, then fixes import into a new collection',
      })
    if (values.repair && store.reembedded) {
      let what = 'Embedding'
      const embedding = store.reembedded(signal, (done, total) => (what = `Embedding ${done} of ${total}`))
      await duringWork(terminal, () => what, Promise.race([embedding, once(signal, 'abort')]))
      signal.throwIfAborted()
    }
    const checks = await duringWork(terminal, 'Checking', store.doctor(signal))
    const isOk = checks.every(({ ok }) => ok)
    if (values.json) say(terminal, jsonLine({ ok: isOk, checks }))
    else for (const line of checkLines(checks, terminal)) say(terminal, line)
    return isOk ? EXIT.ok : EXIT.failed
  },
}

/** Replaces a damaged file, which stays beside the new one. */
async function repair({ state, config }: Toolkit, terminal: Terminal): Promise<void> {
  if (config.config.memory.chroma) return
  const { repairStore } = await import('../../../knowledge/memory/embedded/repair-store.ts')
  const repairReport = repairStore(state.fixes)
  if (!repairReport) return
  const { saved, lost, kept } = repairReport
  const missing = lost === 0 ? '' : `, and ${lost} could not be read`
  warn(terminal, `Saved ${saved} ${saved === 1 ? 'fix' : 'fixes'}${missing}. The damaged file is ${sanitize(kept)}`)
}

function oneId(rest: readonly string[]): string {
  const [id, ...more] = rest
  if (id === undefined || more.length > 0)
    throw new UsageError('Give the id of one fix; fixes list shows them', 'fixes')
  return id
}

async function requireFix(store: FixStore, id: string, signal: AbortSignal) {
  const fix = await store.get(id, signal)
  if (!fix) throw unknownFix(id)
  return fix
}

const limitOf = ({ limit }: FixValues, usual: number): number =>
  limit === undefined ? usual : numberOption(limit, '--limit', 'fixes', { least: 1, most: MOST })

const skipOf = ({ skip }: FixValues): number =>
  skip === undefined ? 0 : numberOption(skip, '--skip', 'fixes', { most: MOST_SKIPPED })
