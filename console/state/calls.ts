import { computed, signal } from '@preact/signals'
import { read } from '../api/request.ts'
import type { CallRecord } from '../api/shapes.ts'

/** Calls that the page holds at most; older ones are read again when they are wanted. */
const MOST = 100_000
const PAGE_OF_CALLS = 500

/** The calls as they happened, the newest last, and a number that grows when they change. */
const calls: CallRecord[] = []
export const callsVersion = signal(0)
export const areCallsLoaded = signal(false)
/** The number before which older calls are; undefined at the beginning of the journal. */
let olderBefore: number | undefined
let isLoading = false

export const callCount = (): number => calls.length

/** Returns a call by its place, the newest first. */
export const callAt = (place: number): CallRecord | undefined => calls[calls.length - 1 - place]

export const latestCalls = (count: number): readonly CallRecord[] => calls.slice(-count).toReversed()

/** Loads the newest calls. */
export async function loadCalls(): Promise<void> {
  const { records, next } = await read<JournalPage>('/v1/journal', { type: 'call', form: 'row', limit: PAGE_OF_CALLS })
  const newest = records.toReversed()
  const last = calls.at(-1)?.seq ?? 0
  const isJoined = newest.length > 0 && (newest[0]?.seq ?? 0) <= last + 1
  if (!isJoined) calls.splice(0, calls.length, ...newest)
  else for (const record of newest) if (record.seq > last) calls.push(record)
  if (!isJoined || olderBefore === undefined) olderBefore = next
  areCallsLoaded.value = true
  callsVersion.value++
}

export interface JournalPage {
  readonly records: readonly CallRecord[]
  readonly next?: number
}

/** Loads calls before those that are here. Does nothing at the beginning. */
export async function loadOlder(): Promise<void> {
  if (isLoading || olderBefore === undefined || calls.length >= MOST) return
  isLoading = true
  try {
    const query = { type: 'call', form: 'row', limit: 2000, before: olderBefore }
    const { records, next } = await read<JournalPage>('/v1/journal', query)
    calls.unshift(...records.toReversed())
    olderBefore = next
    callsVersion.value++
  } finally {
    isLoading = false
  }
}

let isPainting = false

/** Adds a call that has just happened. Several of one frame are shown at once. */
export function addCall(record: CallRecord): void {
  if (record.seq <= (calls.at(-1)?.seq ?? 0)) return
  calls.push(withoutContent(record))
  // Removed in large pieces, which is cheaper than one at a time.
  if (calls.length > MOST * 1.1) {
    calls.splice(0, calls.length - MOST)
    olderBefore = calls[0]?.seq
  }
  if (isPainting) return
  isPainting = true
  setTimeout(() => {
    isPainting = false
    callsVersion.value++
  }, 100)
}

/** What a row does not show is read again when the row is opened. */
const withoutContent = ({ output: _output, printed: _printed, ...record }: CallRecord): CallRecord => record

/** How many of the last calls happened today. */
export const callsToday = computed(() => {
  void callsVersion.value
  const midnight = new Date().setHours(0, 0, 0, 0)
  let count = 0
  for (let at = calls.length - 1; at >= 0 && Date.parse(calls[at]?.startedAt ?? '') >= midnight; at--) count++
  return count
})

const RECENT_MS = 5 * 60_000

/** Who has made calls in the last minutes, with the task. */
export function workingNow(now: number): readonly string[] {
  void callsVersion.value
  const names = new Set<string>()
  for (const call of latestCalls(200)) {
    if (now - Date.parse(call.startedAt) > RECENT_MS) break
    if (call.client?.endsWith('(page)')) continue
    names.add([nameOf(call), call.task === 'default' ? undefined : call.task].filter(Boolean).join(' · '))
  }
  return [...names].slice(0, 6)
}

/** The agent, else the program, as people call it. */
export const nameOf = ({ agent, client }: Pick<CallRecord, 'agent' | 'client'>): string =>
  agent ?? client?.replace(/ \(http token\)$/, '') ?? 'command line'
