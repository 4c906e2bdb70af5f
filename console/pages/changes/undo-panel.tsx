import { useEffect, useState } from 'preact/hooks'
import { read, wordsOf } from '../../api/request.ts'
import { Button } from '../../parts/button.tsx'
import { Diff } from '../../parts/diff.tsx'
import { parseDiff } from '../../parts/unified-diff.ts'
import { visibleLine } from '../../parts/visible-text.ts'
import { addressOf } from '../../state/address.ts'
import { useKeys } from '../../state/keys.ts'
import { previewUndo, undo, type Choice, type Commit, type UndoPreview } from './changes-state.ts'

interface UndoProps {
  readonly choice: Choice
  readonly commits: readonly Commit[]
  readonly onClose: () => void
}

/** Says what an undo would change and what stands in its way, before the button for it. */
export function UndoPanel({ choice, commits, onClose }: UndoProps) {
  const [preview, setPreview] = useState<UndoPreview | undefined>(undefined)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    previewUndo(choice).then(setPreview, (error: unknown) => setProblem(wordsOf(error)))
  }, [])
  const count = preview?.commits.length ?? 0
  const run = async (): Promise<void> => {
    if (isBusy || count === 0) return
    setBusy(true)
    await undo(choice)
    onClose()
  }
  useKeys([{ key: 'u', label: 'undo', shown: true, run: () => void run() }])
  return (
    <section class="undo-panel" aria-labelledby="undo-title">
      <div class="scroll">
        <header class="detail-head">
          <h1 id="undo-title" class="detail-title">
            {titleOf(choice, commits)}
          </h1>
          {problem !== '' && <p class="refused">{visibleLine(problem)}</p>}
          {preview && <PreviewWords preview={preview} />}
        </header>
        <div class="detail-body">
          {preview?.commits.slice(0, MOST_DIFFS).map(id => (
            <CommitDiff key={id} id={id} />
          ))}
          {count > MOST_DIFFS && <p class="muted">and {count - MOST_DIFFS} more changes</p>}
        </div>
      </div>
      <footer class="answers">
        <Button meaning="refused" keyName="u" isOff={isBusy || count === 0} onPress={() => void run()}>
          Undo {count === 1 ? 'this change' : `${count} changes`}
        </Button>
        <Button keyName="Escape" onPress={onClose}>
          Close
        </Button>
        <p class="answer-note muted">An undo is a change like any other: it can be undone.</p>
      </footer>
    </section>
  )
}

const MOST_DIFFS = 10

function titleOf(choice: Choice, commits: readonly Commit[]): string {
  if (choice.kind === 'task') return `Undo the task ${visibleLine(choice.name)}`
  if (choice.kind === 'agent') return `Undo all of ${visibleLine(choice.name.replace(/ \(http token\)$/, ''))}`
  const first = commits.find(({ id }) => choice.ids.includes(id))
  return choice.ids.length === 1
    ? `Change of ${visibleLine(first?.paths[0] ?? choice.ids[0] ?? '')}`
    : `${choice.ids.length} changes`
}

function PreviewWords({ preview: { commits, paths, changedSince } }: { readonly preview: UndoPreview }) {
  if (commits.length === 0) return <p class="muted">Nothing of it is in force: it was undone already.</p>
  const files = `${paths.length} ${paths.length === 1 ? 'file' : 'files'}`
  return (
    <div class="detail-why">
      <p>
        Undo would change <span class="strong">{files}</span>
        {changedSince.length === 0
          ? '. Nothing else has changed them since.'
          : `; ${changedSince.length} ${changedSince.length === 1 ? 'was' : 'were'} changed since:`}
      </p>
      <ul>
        {changedSince.map(({ path, by, commit }) => (
          <li key={path}>
            <code>{visibleLine(path)}</code> by {visibleLine(by.replace(/ \(http token\)$/, ''))} (
            <a class="link" href={addressOf('changes', commit)}>
              {commit.slice(-6)}
            </a>
            )
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The change that a commit made, from the call that made it. */
function CommitDiff({ id }: { readonly id: string }) {
  const [diff, setDiff] = useState<{ readonly diff?: string; readonly diffProblem?: string }>({})
  useEffect(() => {
    read<typeof diff>(`/v1/journal/${encodeURIComponent(id)}`).then(setDiff, () =>
      setDiff({ diffProblem: 'The journal no longer has this call' }),
    )
  }, [id])
  return (
    <>
      {diff.diffProblem !== undefined && <p class="muted">{visibleLine(diff.diffProblem)}</p>}
      {parseDiff(diff.diff ?? '').map(({ path, hunks, notes }) => (
        <section key={path} class="card" aria-label={visibleLine(path)}>
          <header>
            <code>{visibleLine(path)}</code> <span class="muted">{notes.join(', ')}</span>
            <span class="end">
              <a class="link" href={addressOf('changes', undefined, { blame: path })}>
                Blame
              </a>
            </span>
          </header>
          {hunks.map((hunk, at) => (
            <Diff key={at} path={path} hunk={hunk} />
          ))}
        </section>
      ))}
    </>
  )
}
