import { effect, signal } from '@preact/signals'
import { read } from '../../api/request.ts'
import type { CallRecord } from '../../api/shapes.ts'
import { address, page } from '../../state/address.ts'
import { callAt, callCount, callsVersion, loadOlder, type JournalPage } from '../../state/calls.ts'
import { filtersIn, type Filters } from './filters.tsx'

/** The calls of the timeline: all that are here, or those that the server finds for the filters. */
export interface ShownCalls {
  readonly count: number
  readonly at: (place: number) => CallRecord | undefined
  readonly isFiltered: boolean
}

const found = signal<readonly CallRecord[]>([])
let before: number | undefined
let isLoading = false
let wanted = ''

export function shownCalls(): ShownCalls {
  const isFiltered = Object.keys(filtersIn(address.value.query)).length > 0
  if (isFiltered) return { count: found.value.length, at: place => found.value[place], isFiltered }
  void callsVersion.value
  return { count: callCount(), at: callAt, isFiltered }
}

/** Loads what follows the last call of the list. */
export async function loadMore(): Promise<void> {
  const filters = filtersIn(address.value.query)
  if (Object.keys(filters).length === 0) return loadOlder()
  if (isLoading || before === undefined) return
  isLoading = true
  try {
    const { records, next } = await find(filters, before)
    before = next
    found.value = [...found.value, ...records]
  } finally {
    isLoading = false
  }
}

/** What the address calls a verdict is how a call ended, to a person; what policy decided has other words. */
function find({ verdict, ...filters }: Filters, from?: number): Promise<JournalPage> {
  const isPolicy = ['allow', 'ask', 'deny'].includes(verdict ?? '')
  const query = { ...filters, ...(verdict !== undefined && { [isPolicy ? 'verdict' : 'state']: verdict }) }
  return read<JournalPage>('/v1/journal', { ...query, type: 'call', form: 'row', limit: 200, before: from })
}

/** Finds again when the filters change, and shortly after each call. */
export function followFilters(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    void callsVersion.value
    if (page.value !== 'timeline') return
    const filters = filtersIn(address.value.query)
    const name = JSON.stringify(filters)
    if (name === '{}') return
    clearTimeout(timer)
    const isNew = name !== wanted
    if (isNew) found.value = []
    wanted = name
    timer = setTimeout(() => void refresh(filters, name), isNew ? 0 : 700)
  })
}

async function refresh(filters: Filters, name: string): Promise<void> {
  const { records, next } = await find(filters).catch(() => ({ records: [], next: undefined }))
  if (name !== wanted) return
  const last = records.at(-1)?.seq ?? 0
  const older = found.peek().filter(({ seq }) => seq < last)
  if (older.length === 0) before = next
  found.value = [...records, ...older]
}
