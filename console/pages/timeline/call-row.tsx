import type { CallRecord } from '../../api/shapes.ts'
import { Badge } from '../../parts/badge.tsx'
import { reasonOf, stateOf, targetOf, toolOf } from '../../parts/call-words.tsx'
import { CountedLines } from '../../parts/counted-lines.tsx'
import { clockOf, durationOf, exactTime } from '../../parts/times.ts'
import { visibleLine } from '../../parts/visible-text.ts'
import { addressOf, go } from '../../state/address.ts'
import { nameOf } from '../../state/calls.ts'
import { waiting } from '../../state/questions.ts'
import { countedLines, titleOf } from '../inbox/question-words.ts'

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
      data-open={isOpen}
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

const MOST_WAITING = 5

/** Calls that wait for a person: they stand above all others. */
export const WaitingRows = () => (
  <div role="rowgroup" class="waiting-rows">
    {waiting.value.slice(0, MOST_WAITING).map(question => {
      const { verb, thing, more } = titleOf(question)
      const name = nameOf(question.asker)
      const counted = countedLines(question)
      return (
        <div key={question.id} role="row" class="call-row" onClick={() => go(addressOf('inbox', question.id))}>
          <span role="cell" class="time code muted" title={exactTime(question.askedAt)}>
            {clockOf(question.askedAt, { withSeconds: true })}
          </span>
          <span role="cell" class={`lane lane-${laneOf(name)}`}>
            <span class="muted cut">{visibleLine(name)}</span>
          </span>
          <span role="cell" class="tool code muted cut">
            {visibleLine(verb.toLowerCase())}
          </span>
          <span role="cell" class="what cut">
            <code>{thing}</code> {more}
          </span>
          <span role="cell" class="verdict">
            <Badge meaning="asked" words="waiting" />
          </span>
          <span role="cell" class="lines-cell">
            <CountedLines {...counted} />
          </span>
          <span role="cell" class="took" />
        </div>
      )
    })}
  </div>
)
