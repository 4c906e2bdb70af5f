import { Badge } from '../../parts/badge.tsx'
import { CountedLines } from '../../parts/counted-lines.tsx'
import { ageOf, clockOf, exactTime } from '../../parts/times.ts'
import { stateOf, targetOf, toolOf } from '../../parts/call-words.tsx'
import { visibleLine } from '../../parts/visible-text.ts'
import type { CallRecord } from '../../api/shapes.ts'
import { addressOf, go } from '../../state/address.ts'
import { nameOf } from '../../state/calls.ts'
import { now } from '../../state/clock.ts'
import type { Asked } from '../../state/questions.ts'
import { several } from '../../state/workspace.ts'
import { pick, picked } from './decisions.ts'
import { askerOf, countedLines, endOf, riskOf, titleOf } from './question-words.ts'

/** A question in the list. */
export function QuestionRow({ question, isOpen }: { readonly question: Asked; readonly isOpen: boolean }) {
  const { id, askedAt, state } = question
  const { verb, thing, more } = titleOf(question)
  const [meaning, words] = state === 'open' ? riskOf(question) : endOf(question)
  const isPicked = picked.value.has(id)
  return (
    <li
      id={`question-${id}`}
      role="option"
      aria-selected={isOpen}
      class={['list-row', isPicked && 'picked', state !== 'open' && 'closed'].filter(Boolean).join(' ')}
      onClick={event => (event.metaKey || event.ctrlKey ? pick(id) : go(addressOf('inbox', id)))}
    >
      <div class="first">
        {isPicked && <span class="changed">✓</span>}
        <span class="what cut">
          {verb} <code>{thing}</code> {more}
        </span>
        <span class="muted" title={exactTime(askedAt)}>
          {ageOf(now.value - Date.parse(askedAt))}
        </span>
      </div>
      <div class="second">
        <span class="who cut">
          {several.value ? `${visibleLine(question.workspace)} · ` : ''}
          {askerOf(question)} <CountedLines {...countedLines(question)} />
        </span>
        <Badge meaning={meaning} words={words} />
      </div>
    </li>
  )
}

/** An answered question, which is a call of the journal. */
export function AnsweredRow({ call, isOpen }: { readonly call: CallRecord; readonly isOpen: boolean }) {
  const [meaning, words] = stateOf(call)
  const tool = toolOf(call)
  return (
    <li role="option" aria-selected={isOpen} class="list-row" onClick={() => go(addressOf('inbox', call.id))}>
      <div class="first">
        <span class="what cut">
          {tool.charAt(0).toUpperCase() + tool.slice(1)} <code>{targetOf(call)}</code>
        </span>
        <span class="muted" title={exactTime(call.startedAt)}>
          {clockOf(call.startedAt)}
        </span>
      </div>
      <div class="second">
        <span class="who cut">{visibleLine(nameOf(call))}</span>
        <Badge meaning={meaning} words={words} />
      </div>
    </li>
  )
}
