import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { read } from '../api/request.ts'
import { toolOf } from '../parts/call-words.tsx'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { visibleLine } from '../parts/visible-text.ts'
import { callCount, callsVersion, latestCalls } from '../state/calls.ts'
import { areNotificationsOn, switchNotifications } from '../state/notifications.ts'
import { say } from '../state/shell.ts'

interface Setup {
  readonly client: string
  readonly file?: string
  readonly text: string
}

/** What an empty console says: three steps, with their state as it is. */
export function FirstRun() {
  const [setups, setSetups] = useState<readonly Setup[]>([])
  const [chosen, setChosen] = useState(0)
  useEffect(() => {
    read<{ setups: readonly Setup[] }>('/v1/setup').then(
      ({ setups: all }) => setSetups(all),
      () => {},
    )
  }, [])
  void callsVersion.value
  const calls = latestCalls(2000)
  const isCalled = callCount() > 0
  const isChanged = calls.some(({ changed = [], dryRun }) => changed.length > 0 && dryRun !== true)
  const isUndone = calls.some(call => toolOf(call) === 'undo' && call.ok)
  if (isCalled && isUndone)
    return (
      <Empty title="Nothing waits for you">
        A question of an agent appears here, with what it would change.{' '}
        <button type="button" class="button plain" onClick={() => void switchNotifications()}>
          {areNotificationsOn.value ? 'Stop notifications' : 'Notify me of questions'}
        </button>
      </Empty>
    )
  const setup = setups[chosen]
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(setup?.text ?? '')
    say('Copied')
  }
  return (
    <section class="first-run" aria-labelledby="first-title">
      <h1 id="first-title" class="detail-title">
        Three steps to begin
      </h1>
      <ol>
        <Step number={1} isDone={isCalled} title="Connect a client">
          <p class="muted">
            {isCalled
              ? 'A client is connected.'
              : 'Nothing has called yet. Run this in a terminal, or put it into the file it names:'}
          </p>
          {!isCalled && setup && (
            <>
              <label class="chip">
                Client:
                <select
                  aria-label="Client"
                  value={String(chosen)}
                  onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
                >
                  {setups.map(({ client, file }, at) => (
                    <option key={client} value={String(at)}>
                      {client}
                      {file === undefined ? '' : ` · ${file}`}
                    </option>
                  ))}
                </select>
              </label>
              <div class="copy">
                <code>{visibleLine(setup.text)}</code>
                <Button isSmall onPress={() => void copy()}>
                  Copy
                </Button>
              </div>
            </>
          )}
        </Step>
        <Step number={2} isDone={isChanged} title="Let it change a file">
          <p class="muted">
            {isChanged
              ? 'A change has landed.'
              : 'Ask it for a small edit. The question appears in this inbox, with the exact change: Land or Refuse it.'}
          </p>
        </Step>
        <Step number={3} isDone={isUndone} title="Take it back">
          <p class="muted">
            {isUndone
              ? 'A change was taken back.'
              : 'Open Changes, choose the edit, press Undo. Every change can be undone.'}
          </p>
        </Step>
      </ol>
    </section>
  )
}

interface StepProps {
  readonly number: number
  readonly isDone: boolean
  readonly title: string
  readonly children: ComponentChildren
}

const Step = ({ number, isDone, title, children }: StepProps) => (
  <li class={isDone ? 'done' : ''}>
    <span class="mark" aria-hidden="true">
      {isDone ? '✓' : number}
    </span>
    <div>
      <h2>
        {title}
        {isDone && <span class="unseen"> (done)</span>}
      </h2>
      {children}
    </div>
  </li>
)
