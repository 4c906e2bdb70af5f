import { useEffect, useState } from 'preact/hooks'
import { wordsOf } from '../../api/request.ts'
import type { AlwaysImpact } from '../../api/shapes.ts'
import { Button } from '../../parts/button.tsx'
import { visibleLine } from '../../parts/visible-text.ts'
import { useKeys } from '../../state/keys.ts'
import { answer, impactOf, loadQuestion, type Asked, type Given } from '../../state/questions.ts'
import { say } from '../../state/shell.ts'
import { AlwaysDialog } from './always-dialog.tsx'
import { decisionsOf, hunksOf, isAllShown, landing, refusalReasons } from './decisions.ts'
import { landWords } from './question-words.ts'

/** The answers to one question, each with its key. */
export function AnswerBar({ question }: { readonly question: Asked }) {
  const [reason, setReason] = useState('')
  const [isSending, setSending] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const impact = useImpact(question)
  const total = hunksOf(question).length
  const accepted = landing(question)
  const isShown = isAllShown(question)
  const isOff = isSending || !isShown
  const words = [refusalReasons(question), reason.trim()].filter(Boolean).join('; ')

  const send = async (given: Given): Promise<void> => {
    if (isSending) return
    setSending(true)
    try {
      await answer(question, { ...given, ...(words !== '' && { reason: words.slice(0, 2000) }) })
      say(given.answer === 'no' ? 'Refused. Nothing was changed' : 'Landed')
    } catch (error) {
      say(wordsOf(error), { isBad: true })
      await loadQuestion(question.id, question.workspace)
    } finally {
      setSending(false)
    }
  }
  const land = (): void => {
    if (isOff || accepted.length === 0) return
    void send({ answer: 'yes', ...(accepted.length < total && { hunks: accepted }) })
  }
  const canLand = total === 0 || accepted.length > 0
  const isWhole = total <= 1
  const always = question.always === undefined ? undefined : () => isShown && setAsking(true)
  useKeys([
    {
      key: 'Enter',
      label: 'land',
      shown: true,
      run: total === 0 ? () => !isOff && void send({ answer: 'yes' }) : land,
    },
    ...(isWhole
      ? [
          { key: 'y', label: 'land', run: total === 0 ? () => !isOff && void send({ answer: 'yes' }) : land },
          { key: 'n', label: 'refuse', shown: true, run: () => void send({ answer: 'no' }) },
        ]
      : []),
    { key: 'N', label: 'refuse all', run: () => void send({ answer: 'no' }) },
    ...(always ? [{ key: 'a', label: 'always', shown: true, run: always }] : []),
  ])
  return (
    <footer class="answers">
      <div class="answer-buttons">
        <Button
          meaning="allowed"
          keyName="Enter"
          isOff={isOff || !canLand}
          onPress={total === 0 ? () => void send({ answer: 'yes' }) : land}
        >
          {landWords(question, accepted.length, total)}
        </Button>
        <Button
          meaning="refused"
          keyName={isWhole ? 'n' : 'N'}
          isOff={isSending}
          onPress={() => void send({ answer: 'no' })}
        >
          {isWhole ? 'Refuse' : 'Refuse all'}
        </Button>
        {always && (
          <Button keyName="a" isOff={isOff} onPress={always}>
            Always…
          </Button>
        )}
        <input
          class="field reason"
          aria-label="Reason"
          placeholder="Reason, given to the model"
          maxLength={1500}
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
          onKeyDown={event => event.key === 'Enter' && void send({ answer: 'no' })}
        />
      </div>
      <p class="answer-note muted">
        {!isShown
          ? 'Yes needs all of the change to be shown first.'
          : decisionsOf(question.id).size > 0 && !canLand
            ? 'Every hunk is refused: refuse all, or accept one.'
            : impact && <ImpactWords impact={impact} />}
      </p>
      {isAsking && (
        <AlwaysDialog
          question={question}
          impact={impact}
          onClose={() => setAsking(false)}
          onAlways={scope => {
            setAsking(false)
            void send({ answer: 'always', scope })
          }}
        />
      )}
    </footer>
  )
}

export const ImpactWords = ({
  impact: { rule, days, looked, allowed, refused },
}: {
  readonly impact: AlwaysImpact
}) => (
  <>
    “Always” would add <span class="strong">{visibleLine(rule)}</span> for {days} days. Of the last{' '}
    {looked.toLocaleString('en')} calls it would have allowed {allowed}
    {refused > 0 ? `, you refused ${refused} of them` : ''}.
  </>
)

function useImpact(question: Asked): AlwaysImpact | undefined {
  const [impact, setImpact] = useState<AlwaysImpact | undefined>(undefined)
  useEffect(() => {
    if (question.always === undefined) return
    let isLeft = false
    impactOf(question).then(
      found => !isLeft && setImpact(found),
      () => {},
    )
    return () => {
      isLeft = true
    }
  }, [question.id])
  return impact
}
