import { useEffect, useState } from 'preact/hooks'
import { Badge } from '../../parts/badge.tsx'
import { personOf, toolOf } from '../../parts/call-words.tsx'
import { CountedLines } from '../../parts/counted-lines.tsx'
import { Empty } from '../../parts/empty.tsx'
import { clockOf, exactTime } from '../../parts/times.ts'
import { visibleLine } from '../../parts/visible-text.ts'
import { address, addressOf, go } from '../../state/address.ts'
import { callsVersion, nameOf } from '../../state/calls.ts'
import { useKeys } from '../../state/keys.ts'
import { Blame } from './blame.tsx'
import { commits, loadChanges, problem, transactions, type Choice, type Commit } from './changes-state.ts'
import { TransactionCard } from './transaction-card.tsx'
import { UndoPanel } from './undo-panel.tsx'

/** What has landed, grouped by task and agent, and how to take it back. */
export function Changes() {
  const { id, query } = address.value
  const [choice, setChoice] = useState<Choice | undefined>(undefined)
  const version = Math.floor(callsVersion.value / 5)
  useEffect(() => {
    const timer = setTimeout(() => void loadChanges(), 300)
    return () => clearTimeout(timer)
  }, [version])
  useEffect(() => void loadChanges(), [])
  useEffect(() => {
    if (id !== undefined) setChoice({ kind: 'commits', ids: [id] })
  }, [id])
  const all = commits.value ?? []
  const current = all.findIndex(commit => commit.id === id)
  const move = (by: number): void => {
    const next = all[Math.min(Math.max(current + by, 0), all.length - 1)]
    if (next) go(addressOf('changes', next.id), { replace: true })
  }
  useKeys([
    { key: 'j', label: 'move', shown: true, run: () => move(1) },
    { key: 'k', label: 'move back', run: () => move(-1) },
    { key: 'ArrowDown', label: 'move', run: () => move(1) },
    { key: 'ArrowUp', label: 'move back', run: () => move(-1) },
    { key: 'Escape', label: 'close', run: () => (setChoice(undefined), go(addressOf('changes'))) },
  ])
  if (query['blame'] !== undefined) return <Blame key={query['blame']} path={query['blame']} />
  return (
    <div class="changes">
      <div class="changes-list">
        <div class="page-head">
          <h1>Changes</h1>
          <span class="muted">
            {all.length} {all.length === 1 ? 'change' : 'changes'} that can be undone
          </span>
          <form
            class="end wide-only"
            onSubmit={event => {
              event.preventDefault()
              const path = String(new FormData(event.currentTarget).get('path') ?? '').trim()
              if (path !== '') go(addressOf('changes', undefined, { blame: path }))
            }}
          >
            <input class="field small code" name="path" aria-label="Blame a file" placeholder="Who wrote src/…" />
          </form>
        </div>
        <div class="scroll">
          {problem.value !== '' && <Empty title="The changes cannot be read">{problem.value}</Empty>}
          {transactions.value.map(transaction => (
            <TransactionCard key={transaction.id} transaction={transaction} />
          ))}
          {commits.value?.length === 0 && problem.value === '' && (
            <Empty title="Nothing has changed yet">
              A change that lands appears here, with who made it and how to take it back.
            </Empty>
          )}
          {groupsOf(all).map(group => (
            <Group key={group.key} group={group} choice={choice} setChoice={setChoice} />
          ))}
        </div>
      </div>
      {choice && (
        <UndoPanel
          key={JSON.stringify(choice)}
          choice={choice}
          commits={all}
          onClose={() => {
            setChoice(undefined)
            go(addressOf('changes'), { replace: true })
          }}
        />
      )}
    </div>
  )
}

interface CommitGroup {
  readonly key: string
  readonly agent: string
  readonly task: string | undefined
  readonly commits: readonly Commit[]
}

/** Commits that follow each other and are of the same agent and task. */
function groupsOf(all: readonly Commit[]): readonly CommitGroup[] {
  const groups: { key: string; agent: string; task: string | undefined; commits: Commit[] }[] = []
  for (const commit of all) {
    const agent = commit.call ? nameOf(commit.call) : 'unknown'
    const task = commit.call?.task === 'default' ? undefined : commit.call?.task
    const last = groups.at(-1)
    if (last && last.agent === agent && last.task === task) last.commits.push(commit)
    else groups.push({ key: commit.id, agent, task, commits: [commit] })
  }
  return groups
}

interface GroupProps {
  readonly group: CommitGroup
  readonly choice: Choice | undefined
  readonly setChoice: (choice: Choice) => void
}

function Group({ group: { agent, task, commits: own }, choice, setChoice }: GroupProps) {
  const [call] = own.flatMap(commit => commit.call ?? [])
  const name = call?.agent ?? call?.client
  return (
    <section
      aria-label={[agent, task]
        .filter(Boolean)
        .map(text => visibleLine(text ?? ''))
        .join(' · ')}
    >
      <div class="group-head">
        <h2>
          {visibleLine(agent)}
          {task !== undefined && <span class="muted"> · {visibleLine(task)}</span>}
        </h2>
        <span class="end">
          {task !== undefined && (
            <button type="button" class="button plain" onClick={() => setChoice({ kind: 'task', name: task })}>
              Undo the task…
            </button>
          )}
          {name !== undefined && (
            <button type="button" class="button plain" onClick={() => setChoice({ kind: 'agent', name })}>
              Undo all of {visibleLine(agent)}…
            </button>
          )}
        </span>
      </div>
      <table class="rows">
        <tbody>
          {own.map(commit => (
            <CommitRow key={commit.id} commit={commit} choice={choice} setChoice={setChoice} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function CommitRow({ commit, choice, setChoice }: { readonly commit: Commit } & Omit<GroupProps, 'group'>) {
  const { id, at, paths, call, lines, undoneBy } = commit
  const chosen = choice?.kind === 'commits' ? choice.ids : []
  const isChosen = chosen.includes(id)
  const [first = '', ...more] = paths
  const toggle = (): void =>
    setChoice({ kind: 'commits', ids: isChosen ? chosen.filter(each => each !== id) : [...chosen, id] })
  return (
    <tr
      class={`commit-row ${isChosen ? 'chosen' : ''} ${undoneBy === undefined ? '' : 'undone'}`}
      onClick={() => go(addressOf('changes', id), { replace: address.value.id !== undefined })}
    >
      <td class="pick">
        <input
          type="checkbox"
          aria-label={`Choose ${id}`}
          checked={isChosen}
          onClick={event => event.stopPropagation()}
          onChange={toggle}
        />
      </td>
      <td class="time code muted" title={exactTime(at)}>
        {clockOf(at)}
      </td>
      <td class="tool code muted">{call ? toolOf(call) : ''}</td>
      <td class="what cut">
        <code>{visibleLine(first)}</code>
        {more.length > 0 && <span class="muted"> and {more.length} more</span>}
      </td>
      <td class="lines-cell">{lines && <CountedLines {...lines} />}</td>
      <td class="verdict">
        {undoneBy !== undefined ? (
          <Badge meaning="changed" words="undone" />
        ) : call?.approval ? (
          <Badge
            meaning="allowed"
            words={call.approval.answer === 'rule' ? 'by rule' : `by ${visibleLine(personOf(call.approval.by))}`}
          />
        ) : (
          <Badge meaning="quiet" words="allowed" />
        )}
      </td>
    </tr>
  )
}
