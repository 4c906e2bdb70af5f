import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Diff } from '../../parts/diff.tsx'
import { visibleLine } from '../../parts/visible-text.ts'
import type { Asked } from '../../state/questions.ts'
import { decide, decisionsOf, isRead, isSplit, markRead, MOST_LINES, showWhole, type AskedHunk } from './decisions.ts'

interface HunkCardProps {
  readonly question: Asked
  readonly asked: AskedHunk
  /** The keys for yes and no are for this hunk. */
  readonly isCurrent: boolean
  /** Whether it is decided alone; a question with one hunk is answered as a whole. */
  readonly isAlone: boolean
  readonly onFocus: () => void
}

/** One part of a change: accepted or refused alone, with the reason for a refusal. */
export function HunkCard({ question, asked, isCurrent, isAlone, onFocus }: HunkCardProps) {
  const { number, path, hunk, place } = asked
  const { id } = question
  const decision = decisionsOf(id).get(number)
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isCurrent && !isAlone) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  const toggle = (state: 'accepted' | 'refused') => () =>
    decide(id, number, decision?.state === state ? undefined : { state })
  const isFolded = isRead(id, number)
  const isDecidable = !isAlone && question.state === 'open'
  return (
    <section
      ref={element}
      aria-label={`Hunk ${number}: ${visibleLine(path)} ${hunk.from}–${hunk.to}`}
      class={['card', 'hunk', isCurrent && !isAlone && 'current', decision?.state].filter(Boolean).join(' ')}
      onClick={onFocus}
    >
      <header>
        <span class="cut">
          <code>{visibleLine(path)}</code>{' '}
          <span class="muted">
            {hunk.from}
            {hunk.to > hunk.from ? `–${hunk.to}` : ''}
            {place !== undefined && (
              <>
                {' · in '}
                <span class="changed">{visibleLine(place)}</span>
              </>
            )}
          </span>
        </span>
        <span class="end">
          <button
            type="button"
            class="button plain quiet-button"
            aria-pressed={isFolded}
            onClick={() => markRead(id, number)}
          >
            {isFolded ? 'Show' : 'Mark as read'}
          </button>
          {isDecidable && (
            <>
              <Button
                isSmall
                keyName={isCurrent ? 'y' : undefined}
                isPressed={decision?.state === 'accepted'}
                onPress={toggle('accepted')}
                {...(decision?.state === 'accepted' && { meaning: 'allowed' as const })}
              >
                {decision?.state === 'accepted' ? 'Accepted' : 'Accept'}
              </Button>
              <Button
                isSmall
                keyName={isCurrent ? 'n' : undefined}
                isPressed={decision?.state === 'refused'}
                onPress={toggle('refused')}
                {...(decision?.state === 'refused' && { meaning: 'refused' as const })}
              >
                {decision?.state === 'refused' ? 'Refused' : 'Refuse'}
              </Button>
            </>
          )}
        </span>
      </header>
      {decision?.state === 'refused' && (
        <div class="hunk-reason">
          <input
            class="field small"
            aria-label={`Reason for refusing hunk ${number}`}
            placeholder="Reason, given to the model"
            maxLength={1000}
            value={decision.reason ?? ''}
            onInput={({ currentTarget }) => decide(id, number, { state: 'refused', reason: currentTarget.value })}
          />
        </div>
      )}
      {!isFolded && (
        <Diff path={path} hunk={hunk} isSplit={isSplit.value} most={MOST_LINES} onWhole={() => showWhole(id, number)} />
      )}
    </section>
  )
}
