import { useState } from 'preact/hooks'
import { Badge } from '../../parts/badge.tsx'
import { ageOf, exactTime } from '../../parts/times.ts'
import { visible, visibleLine } from '../../parts/visible-text.ts'
import { addressOf } from '../../state/address.ts'
import { now } from '../../state/clock.ts'
import { useKeys } from '../../state/keys.ts'
import type { Asked } from '../../state/questions.ts'
import { AnswerBar } from './answer-bar.tsx'
import { ClaimList } from './claim-list.tsx'
import { decide, hunksOf, isSplit, markRead, switchSplit } from './decisions.ts'
import { HunkCard } from './hunk-card.tsx'
import { askerOf, endOf, quotedReason, titleOf } from './question-words.ts'
import { WholeContent } from './whole-content.tsx'

/** Everything that is needed to answer one question, with the answers below it. */
export function QuestionDetail({ question }: { readonly question: Asked }) {
  const hunks = hunksOf(question)
  const [current, setCurrent] = useState(0)
  const isOpen = question.state === 'open'
  const isAlone = hunks.length <= 1
  const move = (by: number): void => setCurrent(at => Math.min(Math.max(at + by, 0), hunks.length - 1))
  const onCurrent = (run: (number: number) => void): void => {
    const hunk = hunks[current]
    if (hunk) run(hunk.number)
  }
  useKeys([
    ...(hunks.length > 1
      ? [
          { key: 'J', label: 'next hunk', run: () => move(1) },
          { key: 'K', label: 'hunk before', run: () => move(-1) },
          ...(isOpen
            ? [
                {
                  key: 'y',
                  label: 'accept hunk',
                  shown: true,
                  run: () => onCurrent(number => (decide(question.id, number, { state: 'accepted' }), move(1))),
                },
                {
                  key: 'n',
                  label: 'refuse hunk',
                  shown: true,
                  run: () => onCurrent(number => (decide(question.id, number, { state: 'refused' }), move(1))),
                },
              ]
            : []),
        ]
      : []),
    { key: 'v', label: 'mark hunk as read', run: () => onCurrent(number => markRead(question.id, number)) },
    { key: 's', label: 'side by side', run: switchSplit },
  ])
  return (
    <section class="detail" aria-labelledby="detail-title">
      <div class="scroll">
        <Head question={question} />
        <div class="detail-body">
          <ClaimList question={question} />
          <Content question={question} />
          {hunks.length > 0 && (
            <div class="diff-tools">
              <span class="muted">
                {hunks.length} {hunks.length === 1 ? 'hunk' : 'hunks'}
              </span>
              <button type="button" class="button plain wide-only" aria-pressed={isSplit.value} onClick={switchSplit}>
                {isSplit.value ? 'Inline' : 'Side by side'}
              </button>
            </div>
          )}
          {hunks.map((asked, at) => (
            <HunkCard
              key={asked.number}
              question={question}
              asked={asked}
              isCurrent={at === current}
              isAlone={isAlone}
              onFocus={() => setCurrent(at)}
            />
          ))}
          {question.changes
            .filter(({ hunks: own, diff }) => own.length === 0 && diff !== '')
            .map(({ path, diff }) => (
              <section key={path} class="card" aria-label={visibleLine(path)}>
                <pre class="output bare">{visible(diff)}</pre>
              </section>
            ))}
          {question.whole !== undefined && <WholeContent question={question} />}
        </div>
      </div>
      {isOpen ? <AnswerBar key={question.id} question={question} /> : <End question={question} />}
    </section>
  )
}

function Head({ question }: { readonly question: Asked }) {
  const { verb, thing, more } = titleOf(question)
  const reason = quotedReason(question)
  const { askedAt, asker, why, state } = question
  return (
    <header class="detail-head">
      <a class="narrow-only back" href={addressOf('inbox')}>
        ‹ Inbox
      </a>
      <p class="detail-who">
        {state === 'open' ? (
          <Badge
            meaning="asked"
            words={`waiting ${ageOf(now.value - Date.parse(askedAt))}`}
            title={exactTime(askedAt)}
          />
        ) : (
          <Badge meaning={endOf(question)[0]} words={endOf(question)[1]} />
        )}
        <span class="muted">
          {askerOf(question)} · call{' '}
          <a class="link" href={addressOf('timeline', asker.call)}>
            {asker.call.slice(-6)}
          </a>
        </span>
      </p>
      <h1 id="detail-title" class="detail-title">
        {verb} <code>{thing}</code> {more}
      </h1>
      <p class="detail-why">
        {reason !== undefined && <q>{reason}</q>} Asked because: <span class="strong">{visibleLine(why)}</span>
      </p>
    </header>
  )
}

/** What a call without a diff would do: the line of a command, or the whole input. */
function Content({ question: { input, changes } }: { readonly question: Asked }) {
  if (changes.length > 0) return null
  const { command, ...rest } = Object(input)
  const others = JSON.stringify(rest, null, 2)
  return (
    <section class="card" aria-label="What it would run">
      {typeof command === 'string' && <pre class="output bare">{visible(command)}</pre>}
      {(typeof command !== 'string' || others !== '{}') && <pre class="output bare muted">{visible(others)}</pre>}
    </section>
  )
}

/** Answered elsewhere: the question stays, and says by whom and when. */
function End({ question }: { readonly question: Asked }) {
  const [meaning, words] = endOf(question)
  const at = question.answer?.at
  const reason = question.answer?.reason
  return (
    <div class="answers ended" role="status">
      <Badge
        meaning={meaning}
        words={`${words}${at === undefined ? '' : `, ${ageOf(now.value - Date.parse(at))} ago`}`}
      />
      {reason !== undefined && <q class="muted">{visibleLine(reason)}</q>}
    </div>
  )
}
