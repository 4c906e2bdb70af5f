import type { CallRecord } from '../../api/shapes.ts'
import { Badge } from '../../parts/badge.tsx'
import { reasonOf, stateOf, targetOf, toolOf } from '../../parts/call-words.tsx'
import { CountedLines } from '../../parts/counted-lines.tsx'
import { clockOf, durationOf, exactTime } from '../../parts/times.ts'
import { visibleLine } from '../../parts/visible-text.ts'
import { nameOf } from '../../state/calls.ts'

interface CallRowProps {
  readonly call: CallRecord
  readonly isOpen: boolean
  readonly isCurrent: boolean
  readonly onOpen: () => void
  readonly index: number
}

/** One call as a row. */
export function CallRow({ call, isOpen, isCurrent, onOpen, index }: CallRowProps) {
  const [meaning, words] = stateOf(call)
  const name = nameOf(call)
  const reason = reasonOf(call.input)
  const changed = call.changed?.length ?? 0
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-expanded={isOpen}
      aria-current={isCurrent || undefined}
      class={`call-row ${isCurrent ? 'current' : ''}`}
      onClick={onOpen}
    >
      <span role="cell" class="time code muted" title={exactTime(call.startedAt)}>
        {clockOf(call.startedAt, { withSeconds: true })}
      </span>
      <span
        role="cell"
        class={`lane lane-${laneOf(name)} ${call.agent !== undefined && call.client !== undefined ? 'sub' : ''}`}
      >
        <span class="muted cut">{visibleLine(name)}</span>
      </span>
      <span role="cell" class="tool code muted cut">
        {toolOf(call)}
      </span>
      <span role="cell" class="what cut">
        <code>{targetOf(call)}</code>
        {reason !== undefined && <span class="muted"> · “{reason}”</span>}
      </span>
      <span role="cell" class="verdict">
        <Badge meaning={meaning} words={words} />
      </span>
      <span role="cell" class="lines-cell">
        {call.lines ? (
          <CountedLines {...call.lines} />
        ) : changed > 0 ? (
          <span class="muted">
            {changed} {changed === 1 ? 'file' : 'files'}
          </span>
        ) : null}
      </span>
      <span role="cell" class="took code muted">
        {durationOf(call.durationMs)}
      </span>
    </div>
  )
}

const LANES = 4

/** The same agent always has the same lane. */
function laneOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return sum % LANES
}
