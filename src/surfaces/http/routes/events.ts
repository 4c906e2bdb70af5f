import { statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { ToolError } from '../../../kernel/error.ts'
import type { JournalRecord } from '../../../machine/journal/chain.ts'
import { readJournal } from '../../../machine/journal/read.ts'
import { newestFirst, segmentsOf } from '../../../machine/journal/segments.ts'
import { shownRecord } from '../../cli/shown-record.ts'
import { rowOf } from '../call-rows.ts'
import { eventStream, type StreamedEvent } from '../event-stream.ts'
import { failedEvent } from '../make-call.ts'
import { defineRoute } from '../route.ts'
import type { ServedWorkspace } from '../served-workspace.ts'
import { inWorkspace } from './in-workspace.ts'

const LOOK_MS = 150

export const eventRoutes = [
  defineRoute({
    id: 'followEvents',
    method: 'GET',
    path: '/v1/events',
    about:
      "Follow what happens here as server-sent events: one for each record of the journal, named after the record's type. With Last-Event-ID, events go on after that record; 'gap' says that older ones were removed. 'approvals' names the questions that are open, at first and after each change",
    scope: 'read',
    events: 'always',
    query: z.strictObject({
      ...inWorkspace,
      form: z
        .enum(['whole', 'row'])
        .default('whole')
        .describe('row: without what a call was given and answered at length'),
    }),
    answer: z.string().describe('Server-sent events; the data of each is one line of JSON'),
    run({ query: { form }, workspace, lastEventId, signal }) {
      const place = workspace()
      const after = lastEventId === undefined ? newestIn(place) : numberIn(lastEventId, place)
      return eventStream(
        signal,
        send => follow(place, { after, signal, send, formOf: form === 'row' ? rowOf : record => record }),
        failedEvent,
      )
    },
  }),
]

function numberIn(id: string, place: ServedWorkspace): number {
  if (!/^\d{1,15}$/.test(id))
    throw new ToolError('invalid_input', 'Last-Event-ID is not the id of an event of this stream')
  return Math.min(Number(id), newestIn(place))
}

const newestIn = ({ kit: { state } }: ServedWorkspace): number => {
  for (const { seq } of newestFirst(state.journal)) return seq
  return 0
}

interface Following {
  readonly after: number
  readonly signal: AbortSignal
  readonly send: (event: StreamedEvent) => void
  readonly formOf: (record: JournalRecord) => JournalRecord
}

async function follow({ kit }: ServedWorkspace, { after, signal, send, formOf }: Following): Promise<void> {
  const { journal } = kit.state
  const pending = await kit.workspace.pending()
  const tellOpen = (): void => send({ event: 'approvals', data: { open: pending.list().map(({ id }) => id) } })
  tellOpen()
  const stopWatching = pending.watch(tellOpen)
  signal.addEventListener('abort', stopWatching, { once: true })
  let lastSeq = after
  const tell = async (record: JournalRecord): Promise<void> => {
    if (record.seq > lastSeq + 1) send({ event: 'gap', data: { from: lastSeq + 1, to: record.seq - 1 } })
    lastSeq = record.seq
    send({ id: String(record.seq), event: record.type ?? 'record', data: formOf(await shownRecord(kit, record)) })
  }
  for (const record of readJournal(journal, { from: after + 1 })) {
    if (signal.aborted) return
    await tell(record)
  }
  for (let stamp = ''; !signal.aborted; await pause(LOOK_MS, undefined, { signal }).catch(() => {})) {
    const now = stampOf(journal)
    if (now === stamp) continue
    stamp = now
    const news: JournalRecord[] = []
    for (const record of newestFirst(journal)) {
      if (record.seq <= lastSeq) break
      news.unshift(record)
    }
    for (const record of news) await tell(record)
  }
}

/** Changes with every record. */
function stampOf(journal: string): string {
  const current = segmentsOf(journal).at(-1)
  const stat = current && statSync(current.path, { throwIfNoEntry: false })
  return stat ? `${stat.ino}:${stat.size}` : ''
}
