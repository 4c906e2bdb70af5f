import { z } from 'zod'
import type { JournalRecord } from '../../../machine/journal/chain.ts'
import { metricsOf } from '../../../machine/journal/metrics.ts'
import { openPayloads } from '../../../machine/journal/payloads.ts'
import { readJournal } from '../../../machine/journal/read.ts'
import { newestFirst } from '../../../machine/journal/segments.ts'
import { verifyJournal } from '../../../machine/journal/verify.ts'
import { verifyPayloads } from '../../../machine/journal/verify-payloads.ts'
import { undoneCommits } from '../../../machine/workspace/commit/list-undo.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { Toolkit } from '../../../toolkit.ts'
import { logFilter } from '../../cli/log-filter.ts'
import { callDiff, callNamed } from '../../cli/log-show.ts'
import { recordedValue, shownRecord } from '../../cli/shown-record.ts'
import { UsageError } from '../../cli/usage.ts'
import { CALL_STATES, callFilter, rowOf } from '../call-rows.ts'
import { callSeries } from '../call-series.ts'
import { defineRoute } from '../route.ts'
import { anyObject, inWorkspace } from './in-workspace.ts'

const text = () => z.string().min(1).max(1000).optional()

const pageQuery = z.strictObject({
  ...inWorkspace,
  limit: z.coerce.number().int().min(1).max(2000).default(50),
  form: z.enum(['whole', 'row']).default('whole').describe('row: without what a call was given and answered at length'),
  before: z.coerce.number().int().min(1).optional().describe('Only records before this number: "next" of a page'),
  type: z.string().max(40).optional().describe('Only records of this type, such as call'),
  tool: text().describe('Calls of this tool, such as edit or sage/*'),
  task: text().describe('Calls of this task'),
  agent: text().describe('Calls of this agent, or of this program if it names no agent'),
  state: z.enum(CALL_STATES).optional().describe('How calls ended'),
  text: text().describe('Calls with these words in their tool, input, places or message'),
  path: text().describe('Calls that touched this path, anything below it, or matches of a glob'),
  verdict: z.enum(['allow', 'ask', 'deny']).optional().describe('What policy decided'),
  failed: z.enum(['true', 'false']).optional().describe('Only failed calls, commands and checks'),
  since: text().describe('From this time on: 30m, 2h or 3d ago, or 2026-11-16T14:00'),
  until: text().describe('Up to this time'),
})

type PageQuery = z.output<typeof pageQuery>

export const journalRoutes = [
  defineRoute({
    id: 'readJournal',
    method: 'GET',
    path: '/v1/journal',
    about: 'Read the record of what was done here, the newest first',
    scope: 'read',
    query: pageQuery,
    answer: z.strictObject({
      records: z.array(anyObject('A record, as the policy lets it be shown')),
      next: z.int().optional().describe('The "before" of the next page; absent at the end'),
    }),
    async run({ query, workspace }) {
      const { kit } = workspace()
      const { records, next } = pageOf(kit, query)
      const shown = await Promise.all(records.map(record => shownRecord(kit, record)))
      return {
        records: query.form === 'row' ? shown.map(rowOf) : shown,
        ...(next !== undefined && { next }),
      }
    },
  }),
  defineRoute({
    id: 'verifyJournal',
    method: 'GET',
    path: '/v1/journal/verify',
    about: 'Check that the record is whole and in order',
    scope: 'read',
    query: z.strictObject({ ...inWorkspace, head: text().describe('A head that was kept elsewhere') }),
    answer: anyObject('What toolwright log verify --json prints'),
    run({ query: { head }, workspace }) {
      const { journal, head: headFile, payloads: directory } = workspace().kit.state
      const verification = verifyJournal(journal, { headFile, ...(head !== undefined && { head }) })
      const payloads = verifyPayloads(journal, openPayloads(directory))
      return { ...verification, ok: verification.ok && payloads.ok, payloads }
    },
  }),
  defineRoute({
    id: 'readCall',
    method: 'GET',
    path: '/v1/journal/{id}',
    about: 'Read everything recorded about one call, large values and the diff of its changes included',
    scope: 'read',
    params: z.strictObject({ id: z.string().min(1).max(100) }),
    query: z.strictObject(inWorkspace),
    answer: anyObject('The record, with the values that lie beside the journal'),
    async run({ params: { id }, workspace }) {
      const { kit } = workspace()
      const call = await shownRecord(kit, callNamed(kit, id))
      const { inputRef, outputRef, printedRef, ...rest } = call
      const [input, output, printedValue] = await Promise.all([
        recordedValue(kit, call.input, inputRef),
        recordedValue(kit, call.output, outputRef),
        recordedValue(kit, call.printed, printedRef),
      ])
      const diff = call.withheld === undefined ? await callDiff(kit, call) : ''
      const undoneBy = call.undo === undefined ? undefined : undoneCommits(kit.workspace.store).get(call.undo)
      return {
        ...rest,
        input,
        output,
        printed: printedValue,
        ...(typeof diff === 'string' ? { diff } : diff.lines.length > 0 && { diffProblem: diff.lines.join(' ') }),
        ...(undoneBy !== undefined && { undoneBy }),
      }
    },
  }),
  defineRoute({
    id: 'readMetrics',
    method: 'GET',
    path: '/v1/metrics',
    about: 'Count the calls by tool, with failures, refusals and times',
    scope: 'read',
    query: z.strictObject({
      ...inWorkspace,
      last: z.coerce.number().int().min(1).max(1_000_000).default(10_000).describe('Only so many records, the newest'),
    }),
    answer: anyObject('What toolwright log --stats --json prints'),
    run: ({ query: { last }, workspace }) => metricsOf(readJournal(workspace().kit.state.journal, { last })),
  }),
  defineRoute({
    id: 'readSeries',
    method: 'GET',
    path: '/v1/metrics/series',
    about: 'Count the calls of the last hours over time, by how they ended',
    scope: 'read',
    query: z.strictObject({
      ...inWorkspace,
      hours: z.coerce
        .number()
        .positive()
        .max(24 * 31)
        .default(24),
      steps: z.coerce.number().int().min(2).max(500).default(48),
    }),
    answer: z.strictObject({ series: z.array(anyObject('A step: its start, its calls by end, their time and bytes')) }),
    run({ query: { hours, steps }, workspace }) {
      const to = Date.now()
      const records = newestFirst(workspace().kit.state.journal)
      return { series: callSeries(records, { from: to - hours * 3_600_000, to, steps }) }
    },
  }),
]

/** A rare filter in a long journal must not keep the other clients waiting. */
const MOST_LOOKED_AT = 20_000

function pageOf(
  { state, root }: Toolkit,
  { limit, before = Infinity, type, form: _form, agent, state: wantedState, text: words, ...query }: PageQuery,
): { readonly records: readonly JournalRecord[]; readonly next?: number } {
  const isWanted = filterOf(query, root)
  const isShown = callFilter({ agent, state: wantedState, text: words })
  const records: JournalRecord[] = []
  let [lookCount, last] = [0, 0]
  for (const record of newestFirst(state.journal, before)) {
    if (records.length === limit || lookCount === MOST_LOOKED_AT) return { records, next: last }
    lookCount++
    last = record.seq
    if ((type === undefined || record.type === type) && isWanted(record) && isShown(record)) records.push(record)
  }
  return { records }
}

function filterOf(
  {
    tool,
    task,
    path,
    verdict,
    failed,
    since,
    until,
  }: Omit<PageQuery, 'limit' | 'before' | 'type' | 'workspace' | 'form' | 'agent' | 'state' | 'text'>,
  root: string,
): (record: JournalRecord) => boolean {
  try {
    const values = { tool, task, path, verdict, since, until, ...(failed === 'true' && { failed: true }) }
    return logFilter(values, Date.now(), { root, here: '.' }) ?? (() => true)
  } catch (error) {
    if (error instanceof UsageError) throw new ToolError('invalid_input', error.message.replace(/^--/, ''))
    throw error
  }
}
