import type { Call, Script } from './script.ts'

/** Something that a person asks a client for, what the model then does, and what has to come of it. */
export interface Task {
  readonly title: string
  readonly prompt: string
  /** Made side by side. */
  readonly calls: readonly Call[]
  /** What the model says in the end. */
  readonly says: string
  /** The person's answer to every question of ours; without it none may be asked. */
  readonly answer?: 'yes' | 'no'
  /** What has happened then, for the page. */
  readonly effect: string
  /** What the file holds then. */
  readonly leaves: string
  /** What the model has to be told. */
  readonly hears: string
}

export const FILE = 'prices.toml'
export const CONTENT = 'apple = 10\npear = 20\nplum = 30\n'

const edit = (old: string, next: string): Call => ({
  tool: 'edit',
  input: { path: FILE, edits: [{ old, new: next }] },
})

export const READ: Task = {
  title: 'Reading',
  prompt: 'What do apples cost?',
  calls: [{ tool: 'read', input: { path: FILE } }],
  says: 'Apples cost 10.',
  effect: 'Nothing is asked:',
  leaves: CONTENT,
  hears: 'apple = 10',
}

export const APPROVED: Task = {
  title: 'An edit that is approved',
  prompt: 'Apples cost 12 now.',
  calls: [edit('apple = 10', 'apple = 12')],
  says: 'Apples cost 12.',
  effect: 'The file has the new price:',
  answer: 'yes',
  leaves: 'apple = 12\npear = 20\nplum = 30\n',
  hears: 'Changed: prices.toml',
}

const REFUSED: Task = {
  title: 'An edit that is refused',
  prompt: 'Pears cost 99 now.',
  calls: [edit('pear = 20', 'pear = 99')],
  says: 'Pears cost what they did.',
  effect: 'The file is as it was, and the model is told that a person said no:',
  answer: 'no',
  leaves: APPROVED.leaves,
  hears: 'A person said no.',
}

const LONG: Task = {
  title: 'A command that prints 168,894 characters',
  prompt: 'Count to 30000.',
  calls: [{ tool: 'run', input: { command: 'seq 1 30000' } }],
  says: 'Counted.',
  effect: 'The model gets the beginning, the end, and how to read the rest:',
  answer: 'yes',
  leaves: APPROVED.leaves,
  hears: 'The whole answer (',
}

const PARALLEL: Task = {
  title: 'Three parallel edits of one file',
  prompt: 'Everything costs one more.',
  calls: [edit('apple = 12', 'apple = 13'), edit('pear = 20', 'pear = 21'), edit('plum = 30', 'plum = 31')],
  says: 'Everything costs one more now.',
  effect: 'All three have landed:',
  answer: 'yes',
  leaves: 'apple = 13\npear = 21\nplum = 31\n',
  hears: 'Changed: prices.toml',
}

/** All of them, in an order in which each finds the file as the one before left it. */
export const TASKS: readonly Task[] = [READ, APPROVED, REFUSED, LONG, PARALLEL]

export const SCRIPT: Script = Object.fromEntries(TASKS.map(({ prompt, calls, says }) => [prompt, [calls, says]]))
