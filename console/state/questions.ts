import { computed, signal } from '@preact/signals'
import { read, act } from '../api/request.ts'
import type { AlwaysImpact, Question } from '../api/shapes.ts'
import { several, workspace, workspaces } from './workspace.ts'

export interface Asked extends Question {
  readonly workspace: string
}

/** Every question that is or was shown, by id; closed ones stay while the page is open. */
const known = signal<ReadonlyMap<string, Asked>>(new Map())
const open = signal<readonly string[]>([])
export const areQuestionsLoaded = signal(false)

/** The questions that wait, of all workspaces, the oldest first. */
export const waiting = computed(() => open.value.flatMap(id => known.value.get(id) ?? []))

export const questionOf = (id: string): Asked | undefined => known.value.get(id)

/** Loads the open questions of every workspace. What is no longer open keeps its place as answered elsewhere. */
export async function loadQuestions(): Promise<void> {
  const names = workspaces.value.map(({ name }) => name)
  const lists = await Promise.all(
    names.map(async name => {
      const { approvals } = await read<{ approvals: readonly Question[] }>('/v1/approvals', inPlace(name))
      return approvals.map(question => ({ ...question, workspace: name }))
    }),
  )
  const all = lists.flat().toSorted((a, b) => (a.askedAt < b.askedAt ? -1 : 1))
  const left = open.peek().filter(id => !all.some(each => each.id === id))
  known.value = new Map([...known.peek(), ...all.map(each => [each.id, each] as const)])
  open.value = all.map(({ id }) => id)
  areQuestionsLoaded.value = true
  await Promise.all(left.map(id => loadQuestion(id, known.peek().get(id)?.workspace)))
}

/** Loads one question, also if it is closed. */
export async function loadQuestion(id: string, place = workspace.value): Promise<Asked | undefined> {
  try {
    return keep(await read<Question>(`/v1/approvals/${encodeURIComponent(id)}`, inPlace(place)), place)
  } catch {
    return undefined
  }
}

export interface Given {
  readonly answer: 'yes' | 'no' | 'always'
  readonly hunks?: readonly number[]
  readonly scope?: string
  readonly reason?: string
}

/** Answers a question. Throws what the server says if someone else was first. */
export async function answer(question: Asked, given: Given): Promise<void> {
  const { id, digest, workspace: place } = question
  const path = `/v1/approvals/${encodeURIComponent(id)}`
  keep(await act<Question>(path, { ...inPlace(place), ...given, digest }), place)
  open.value = open.peek().filter(each => each !== id)
}

export const impactOf = ({ id, workspace: place }: Asked): Promise<AlwaysImpact> =>
  read<AlwaysImpact>(`/v1/approvals/${encodeURIComponent(id)}/always`, inPlace(place))

const inPlace = (name: string): { readonly workspace?: string } => (several.value ? { workspace: name } : {})

function keep(question: Question, place: string): Asked {
  const asked = { ...question, workspace: place }
  known.value = new Map(known.peek()).set(asked.id, asked)
  return asked
}
