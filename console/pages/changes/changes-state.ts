import { signal } from '@preact/signals'
import { act, read, wordsOf } from '../../api/request.ts'
import type { CallRecord, Envelope } from '../../api/shapes.ts'
import { say } from '../../state/shell.ts'

/** A change that can be undone, with the call that made it. */
export interface Commit {
  readonly id: string
  readonly at: string
  readonly paths: readonly string[]
  readonly undoneBy?: string
  readonly call?: Pick<CallRecord, 'id' | 'client' | 'agent' | 'task' | 'tool' | 'approval' | 'verdict'>
  readonly lines?: { readonly added: number; readonly removed: number }
}

export interface Transaction {
  readonly id: string
  readonly at: string
  readonly paths: readonly string[] | null
}

/** What an undo of several commits would do, and what stands in its way. */
export interface UndoPreview {
  readonly commits: readonly string[]
  readonly paths: readonly string[]
  readonly changedSince: readonly { readonly path: string; readonly by: string; readonly commit: string }[]
  readonly answers: readonly Envelope[]
  readonly left: readonly string[]
}

export const commits = signal<readonly Commit[] | undefined>(undefined)
export const totalCommits = signal(0)
export const transactions = signal<readonly Transaction[]>([])
export const problem = signal('')

const MOST = 200

export async function loadChanges(): Promise<void> {
  try {
    const [listed, staged] = await Promise.all([
      read<{ commits: readonly Commit[]; total: number }>('/v1/commits', { limit: MOST }),
      read<{ transactions: readonly Transaction[] }>('/v1/transactions'),
    ])
    commits.value = listed.commits
    totalCommits.value = listed.total
    transactions.value = staged.transactions
    problem.value = ''
  } catch (error) {
    problem.value = wordsOf(error)
  }
}

/** The commits that are chosen: some, those of a task, or those of an agent. */
export type Choice =
  | { readonly kind: 'commits'; readonly ids: readonly string[] }
  | { readonly kind: 'task'; readonly name: string }
  | { readonly kind: 'agent'; readonly name: string }

const pathOf = (choice: Choice): string =>
  choice.kind === 'commits' ? '/v1/undo' : `/v1/${choice.kind}s/${encodeURIComponent(choice.name)}/undo`

const bodyOf = (choice: Choice): object => (choice.kind === 'commits' ? { commits: choice.ids } : {})

export const previewUndo = (choice: Choice): Promise<UndoPreview> =>
  act<UndoPreview>(pathOf(choice), { ...bodyOf(choice), dryRun: true })

/** Undoes what was chosen. The person has seen what it changes, so that no question is asked. */
export async function undo(choice: Choice): Promise<void> {
  try {
    const { answers, left } = await act<UndoPreview>(pathOf(choice), { ...bodyOf(choice), confirmed: true })
    const failed = answers.find(({ ok }) => !ok)
    const done = answers.filter(({ ok }) => ok).length
    if (failed) say(`${done} undone, ${left.length} left: ${failed.error?.message ?? ''}`, { isBad: true })
    else say(`Undone: ${done} ${done === 1 ? 'change' : 'changes'}`)
  } catch (error) {
    say(wordsOf(error), { isBad: true })
  }
  await loadChanges()
}
