import { useEffect, useRef } from 'preact/hooks'
import { wordsOf } from '../../api/request.ts'
import { CallDetail } from '../../parts/call-detail.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { address, addressOf, go } from '../../state/address.ts'
import { areCallsLoaded, callsVersion, latestCalls } from '../../state/calls.ts'
import { useKeys } from '../../state/keys.ts'
import { answer, areQuestionsLoaded, loadQuestion, questionOf, waiting, type Asked } from '../../state/questions.ts'
import { say } from '../../state/shell.ts'
import { FirstRun } from '../first-run.tsx'
import { isAllShown, pick, picked } from './decisions.ts'
import { QuestionDetail } from './question-detail.tsx'
import { AnsweredRow, QuestionRow } from './question-row.tsx'

const MOST_ANSWERED = 50
const isPhone = (): boolean => matchMedia('(max-width: 639px)').matches

/** What waits for a person, and what was answered today. */
export function Inbox() {
  const { id } = address.value
  const open = waiting.value
  const answered = answeredToday()
  const shown = id === undefined ? (isPhone() ? undefined : open[0]) : questionOf(id)
  // A question that was just answered stays until the person moves on.
  const rows = shown && !open.includes(shown) ? [...open, shown] : open
  const ids = [...rows.map(question => question.id), ...answered.map(call => call.id)]
  const at = ids.indexOf(shown?.id ?? id ?? '')
  const move = (by: number): void => {
    const next = ids[Math.min(Math.max(at + by, 0), ids.length - 1)]
    if (next !== undefined) go(addressOf('inbox', next), { replace: id !== undefined })
  }
  useKeys([
    { key: 'j', label: 'move', shown: true, run: () => move(1) },
    { key: 'k', label: 'move back', run: () => move(-1) },
    { key: 'ArrowDown', label: 'move', run: () => move(1) },
    { key: 'ArrowUp', label: 'move back', run: () => move(-1) },
    { key: 'x', label: 'pick for one answer to several', run: () => shown && pick(shown.id) },
  ])
  useEffect(() => {
    if (id !== undefined && !questionOf(id)) void loadQuestion(id)
  }, [id])
  // The address names what is shown, and keeps it there when someone else answers.
  useEffect(() => {
    if (id === undefined && shown) go(addressOf('inbox', shown.id), { replace: true })
  }, [id, shown?.id])
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [id])
  const selected = id ?? shown?.id
  return (
    <div class={`inbox ${id === undefined ? 'at-list' : 'at-detail'}`}>
      <div class="inbox-list">
        <div class="list-head">
          <h1>Waiting for you</h1>
          <span class="muted">{open.length}</span>
        </div>
        <div class="scroll">
          <ul
            ref={list}
            role="listbox"
            aria-label="Waiting for you"
            aria-multiselectable="true"
            tabIndex={0}
            aria-activedescendant={shown ? `question-${shown.id}` : undefined}
          >
            {rows.map(question => (
              <QuestionRow key={question.id} question={question} isOpen={question.id === selected} />
            ))}
          </ul>
          {rows.length === 0 && areQuestionsLoaded.value && (
            <Empty title="Nothing waits">A question of an agent appears here, with what it would change.</Empty>
          )}
          <div class="list-head second">
            <h2 class="muted">Answered today</h2>
            <span class="muted">{answered.length}</span>
          </div>
          <ul role="listbox" aria-label="Answered today" tabIndex={0}>
            {answered.map(call => (
              <AnsweredRow key={call.id} call={call} isOpen={call.id === selected} />
            ))}
          </ul>
        </div>
      </div>
      <div class="inbox-detail">
        {picked.value.size > 0 && <PickedBar />}
        {shown ? (
          <QuestionDetail key={shown.id} question={shown} />
        ) : id !== undefined ? (
          <CallDetail key={id} id={id} />
        ) : (
          areCallsLoaded.value && areQuestionsLoaded.value && <FirstRun />
        )}
      </div>
    </div>
  )
}

/** Calls of today that a person has answered. */
function answeredToday() {
  void callsVersion.value
  const midnight = new Date().setHours(0, 0, 0, 0)
  return latestCalls(2000)
    .filter(
      ({ approval, code, startedAt }) =>
        Date.parse(startedAt) >= midnight && (code === 'rejected' || (approval && approval.answer !== 'rule')),
    )
    .slice(0, MOST_ANSWERED)
}

/** One answer for several questions. */
function PickedBar() {
  const questions = [...picked.value].flatMap(id => questionOf(id) ?? []).filter(({ state }) => state === 'open')
  const count = `${questions.length} ${questions.length === 1 ? 'question' : 'questions'}`
  const send = async (given: 'yes' | 'no'): Promise<void> => {
    const chosen = given === 'yes' ? questions.filter(isAllShown) : questions
    const results = await Promise.allSettled(chosen.map((question: Asked) => answer(question, { answer: given })))
    const failed = results.find(each => each.status === 'rejected')
    picked.value = new Set()
    const done = results.filter(each => each.status === 'fulfilled').length
    if (failed) say(`${done} of ${count} answered. ${wordsOf(failed.reason)}`, { isBad: true })
    else say(`${given === 'yes' ? 'Landed' : 'Refused'}: ${count}`)
  }
  return (
    <div class="picked-bar" role="group" aria-label="Picked questions">
      <span>{count} picked</span>
      <Button isSmall meaning="allowed" onPress={() => void send('yes')}>
        Land {count}
      </Button>
      <Button isSmall meaning="refused" onPress={() => void send('no')}>
        Refuse {count}
      </Button>
      <Button isSmall onPress={() => (picked.value = new Set())}>
        None
      </Button>
    </div>
  )
}
