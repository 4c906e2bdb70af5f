import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { CallDetail } from '../../parts/call-detail.tsx'
import { Empty } from '../../parts/empty.tsx'
import { useVirtualRows } from '../../parts/virtual-rows.ts'
import { address, addressOf, go } from '../../state/address.ts'
import { areCallsLoaded, callsVersion, latestCalls, nameOf } from '../../state/calls.ts'
import { useKeys } from '../../state/keys.ts'
import { toolOf } from '../../parts/call-words.tsx'
import { Band } from './band.tsx'
import { CallRow, WaitingRows } from './call-row.tsx'
import { FilterChips, filtersIn } from './filters.tsx'
import { loadMore, shownCalls, type ShownCalls } from './found-calls.ts'

const ROW = 32
/** Calls left below what is seen when older ones are read. */
const AHEAD = 200

/** Every call as it happens. */
export function Timeline() {
  const calls = shownCalls()
  const { id, query } = address.value
  const filters = filtersIn(query)
  const [current, setCurrent] = useState(0)
  const open = (to: string | undefined): void =>
    go(addressOf('timeline', to, { ...filters }), { replace: id !== undefined })
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualRows(scroller, {
    count: calls.count,
    estimate: ROW,
    keyOf: index => calls.at(index)?.seq ?? index,
  })
  const news = useFollowing(scroller, calls)
  const last = rows.items.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= calls.count - AHEAD) void loadMore()
  }, [last, calls.count])
  const move = (to: number): void => {
    const place = Math.min(Math.max(to, 0), calls.count - 1)
    setCurrent(place)
    rows.scrollTo(place)
  }
  useKeys([
    { key: 'j', label: 'move', shown: true, run: () => move(current + 1) },
    { key: 'k', label: 'move back', run: () => move(current - 1) },
    { key: 'ArrowDown', label: 'move', run: () => move(current + 1) },
    { key: 'ArrowUp', label: 'move back', run: () => move(current - 1) },
    { key: 'Home', label: 'the newest', run: () => move(0) },
    { key: 'End', label: 'the oldest that is here', run: () => move(calls.count - 1) },
    {
      key: 'Enter',
      label: 'open',
      shown: true,
      run: () => {
        const call = calls.at(current)
        if (call) open(call.id === id ? undefined : call.id)
      },
    },
    ...(id === undefined ? [] : [{ key: 'Escape', label: 'close', run: () => open(undefined) }]),
    {
      key: 'u',
      label: 'undo',
      shown: true,
      run: () => {
        const undo = calls.at(current)?.undo
        if (undo !== undefined) go(addressOf('changes', undo))
      },
    },
  ])
  const isElsewhere = id !== undefined && !hasCall(calls, id)
  return (
    <div class="timeline">
      <div class="page-head timeline-head">
        <h1 class="unseen">Timeline</h1>
        <FilterChips {...choices()} />
        <span class="end muted wide-only">{summary(calls)}</span>
      </div>
      <Band calls={calls} />
      {isElsewhere && <CallDetail key={id} id={id} isInPlace />}
      <div class="call-table" role="table" aria-label="Calls" aria-rowcount={calls.count + 1}>
        <div role="rowgroup">
          <div role="row" aria-rowindex={1} class="call-row head">
            {['time', 'agent', 'tool', 'what', 'verdict', 'changed', 'took'].map(name => (
              <span key={name} role="columnheader" class={`head-${name}`}>
                {name}
              </span>
            ))}
          </div>
        </div>
        {!calls.isFiltered && <WaitingRows />}
        <div class="scroll" ref={scroller} tabIndex={0} role="rowgroup">
          <div class="call-rows" style={{ height: `${rows.height}px` }}>
            {rows.items.map(item => {
              const call = calls.at(item.index)
              return (
                call && (
                  <div
                    key={item.key}
                    ref={rows.measure}
                    data-index={item.index}
                    class="call-place"
                    style={{ transform: `translateY(${item.start}px)` }}
                  >
                    <CallRow
                      call={call}
                      index={item.index}
                      isOpen={call.id === id}
                      isCurrent={item.index === current}
                      onOpen={() => {
                        setCurrent(item.index)
                        open(call.id === id ? undefined : call.id)
                      }}
                    />
                    {call.id === id && <CallDetail key={call.id} id={call.id} isInPlace />}
                  </div>
                )
              )
            })}
          </div>
          {calls.count === 0 && areCallsLoaded.value && (
            <Empty title={calls.isFiltered ? 'No call fits these filters' : 'No calls yet'}>
              {calls.isFiltered ? 'Take one of them away.' : 'The first call of a client appears here as it happens.'}
            </Empty>
          )}
        </div>
      </div>
      {news > 0 && (
        <button type="button" class="button small news" onClick={() => scroller.current?.scrollTo({ top: 0 })}>
          {news} new
        </button>
      )}
    </div>
  )
}

const hasCall = (calls: ShownCalls, id: string): boolean => {
  for (let at = 0; at < calls.count; at++) if (calls.at(at)?.id === id) return true
  return false
}

/** Keeps what a person reads in its place while calls are added above it, and counts these. */
function useFollowing(scroller: { readonly current: HTMLElement | null }, calls: ShownCalls): number {
  const newest = calls.at(0)?.seq ?? 0
  const [seen, setSeen] = useState(newest)
  const before = useRef(newest)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const isAtEnd = element.scrollTop < ROW
    const added = countAfter(calls, before.current)
    before.current = newest
    if (isAtEnd) setSeen(newest)
    else if (added > 0) element.scrollTop += added * ROW
  }, [newest])
  useEffect(() => {
    const element = scroller.current
    const onScroll = (): void => {
      if ((element?.scrollTop ?? 0) < ROW) setSeen(before.current)
    }
    element?.addEventListener('scroll', onScroll, { passive: true })
    return () => element?.removeEventListener('scroll', onScroll)
  }, [])
  return seen === 0 ? 0 : countAfter(calls, seen)
}

function countAfter(calls: ShownCalls, seq: number): number {
  let count = 0
  while (count < calls.count && (calls.at(count)?.seq ?? 0) > seq) count++
  return count
}

/** Tools and agents of the last calls, to choose from. */
function choices(): { readonly tools: readonly string[]; readonly agents: readonly string[] } {
  void callsVersion.value
  const recent = latestCalls(2000)
  return {
    tools: [...new Set(recent.map(toolOf))],
    agents: [...new Set(recent.map(nameOf))],
  }
}

function summary(calls: ShownCalls): string {
  let [changes, refused] = [0, 0]
  const counted = Math.min(calls.count, 5000)
  for (let at = 0; at < counted; at++) {
    const call = calls.at(at)
    if ((call?.changed?.length ?? 0) > 0 && call?.dryRun !== true) changes++
    if (call?.code === 'denied' || call?.code === 'rejected') refused++
  }
  return `${calls.count.toLocaleString('en')} calls · ${changes} changes · ${refused} refused`
}
