import { stateOf } from '../../parts/call-words.tsx'
import type { Meaning } from '../../parts/badge.tsx'
import { clockOf } from '../../parts/times.ts'
import type { ShownCalls } from './found-calls.ts'

const BARS = 120
const MOST_CALLS = 3000
const HEIGHT = 32

const WORST: readonly Meaning[] = ['refused', 'failed', 'asked', 'allowed', 'changed', 'quiet']

/** The calls over time, each bar in the colour of the worst that happened in it. */
export function Band({ calls }: { readonly calls: ShownCalls }) {
  const count = Math.min(calls.count, MOST_CALLS)
  const first = calls.at(count - 1)
  const last = calls.at(0)
  if (!first || !last || count < 2) return <div class="band" />
  const [from, to] = [Date.parse(first.startedAt), Date.parse(last.startedAt)]
  const bars = Array.from({ length: BARS }, () => ({ count: 0, worst: WORST.length - 1 }))
  for (let at = 0; at < count; at++) {
    const call = calls.at(at)
    if (!call) continue
    const place = Math.min(BARS - 1, Math.floor(((Date.parse(call.startedAt) - from) / Math.max(1, to - from)) * BARS))
    const bar = bars[place]
    if (!bar) continue
    bar.count++
    const [meaning] = stateOf(call)
    if (meaning === 'refused' || meaning === 'failed') bar.worst = Math.min(bar.worst, WORST.indexOf(meaning))
  }
  const most = Math.max(...bars.map(bar => bar.count))
  const words = `${count} calls from ${clockOf(first.startedAt)} to ${clockOf(last.startedAt)}`
  return (
    <svg class="band" viewBox={`0 0 ${BARS * 10} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words}>
      {bars.map((bar, at) => {
        const height = bar.count === 0 ? 0 : Math.max(3, (bar.count / most) * HEIGHT)
        return (
          <rect key={at} class={WORST[bar.worst] ?? ''} x={at * 10 + 1} y={HEIGHT - height} width={8} height={height} />
        )
      })}
    </svg>
  )
}
