import { loadCommandParser } from '../../guards/policy/command-parser.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { ToolError } from '../../kernel/error.ts'
import type { ApprovalAnswer, PendingApproval, PendingApprovals } from '../../kernel/pending-approval.ts'
import { workspaceState } from '../../machine/state/directory.ts'
import { openPendingApprovals } from '../../machine/state/pending-approvals.ts'
import { userName } from '../user-name.ts'
import { closedLine, pendingLine, pendingLines } from '../render/pending.ts'
import { typedLine } from './ask.ts'
import { discardTyped } from './discard-typed.ts'
import { workspaceOf } from './find-workspace.ts'
import { sayPaged } from './pager.ts'
import { isTypedAt, painter, say, warn, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

const OPTIONS = {
  yes: { type: 'boolean' },
  no: { type: 'boolean' },
  always: { type: 'boolean' },
  hunks: { type: 'string' },
  reason: { type: 'string' },
} as const

type Values = ReturnType<typeof parse<typeof OPTIONS>>['values']
type Given = Omit<ApprovalAnswer, 'digest'>

/** `toolwright approve`: lists the questions that wait for a person in this workspace, shows one, and answers it. */
export async function approve(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('approve', args, OPTIONS)
  const [id, ...more] = positionals
  const answer = answerIn(values)
  if (more.length > 0) throw new UsageError("'approve' takes one id", 'approve')
  if (answer && id === undefined) throw new UsageError('Name the question that is answered: approve ID', 'approve')
  const state = workspaceState(workspaceOf(terminal, values), terminal.env)
  const list = openPendingApprovals(state.pending)
  try {
    // A command is worded by what its line does.
    await loadCommandParser()
    if (id === undefined) return showAll(list.list(), values, terminal)
    const pending = questionOf(list, id)
    if (answer) return submitAnswer(list, pending, answer, values, terminal)
    return await showOne(list, pending, values, terminal)
  } finally {
    list.close()
  }
}

function showAll(open: readonly PendingApproval[], { json }: Values, terminal: Terminal): number {
  if (json) say(terminal, jsonLine(open))
  else if (open.length === 0) say(terminal, 'Nothing waits for an answer here.')
  else {
    for (const pending of open) say(terminal, pendingLine(pending, Date.now(), { paint: painter(terminal) }))
    if (terminal.stdout.isTTY) say(terminal, `To see and answer one: toolwright approve ${open[0]?.id}`)
  }
  return EXIT.ok
}

/** Shows one question. A person at a terminal can answer it at once. */
async function showOne(
  list: PendingApprovals,
  pending: PendingApproval,
  values: Values,
  terminal: Terminal,
): Promise<number> {
  if (values.json) {
    say(terminal, jsonLine(pending))
    return EXIT.ok
  }
  if (pending.state !== 'open') {
    say(terminal, closedLine(pending))
    return EXIT.ok
  }
  sayPaged(terminal, pendingLines(pending, Date.now(), { paint: painter(terminal) }).join('\n'))
  const hunks = pending.changes.flatMap(change => change.hunks).length
  if (!isTypedAt(terminal) || terminal.stdout.isTTY !== true) {
    const choices = ['--yes', '--no', ...(pending.always === undefined ? [] : ['--always'])]
    if (hunks > 1) choices.push('--hunks 1,2')
    say(terminal, `\nTo answer: toolwright approve ${pending.id} ${choices.join(' | ')} [--reason TEXT]`)
    return EXIT.ok
  }
  const answer = await askFor(list, pending, hunks, terminal)
  if (!answer) {
    warn(terminal, 'Not answered: the question is still open.')
    return EXIT.ok
  }
  return submitAnswer(list, pending, answer, values, terminal)
}

/** Asks for the answer. Undefined leaves the question open; only a clear no is one. */
async function askFor(
  list: PendingApprovals,
  { id, always }: PendingApproval,
  hunks: number,
  terminal: Terminal,
): Promise<Given | undefined> {
  const promptAbort = new AbortController()
  // Someone else may answer while this person reads.
  void list.wait(id, promptAbort.signal).then(
    () => promptAbort.abort(),
    () => promptAbort.abort(),
  )
  const words = ['y', 'n', ...(always === undefined ? [] : ['always']), ...(hunks > 1 ? ['hunks such as 1,2'] : [])]
  if (!(await discardTyped(terminal))) return undefined
  const reply = await typedLine(
    terminal,
    `Approve? (${words.join('/')}, then a reason if you like): `,
    promptAbort.signal,
  )
  const isClosed = promptAbort.signal.aborted
  promptAbort.abort()
  if (isClosed) return { answer: 'no' }
  const [, word = '', reason = ''] = /^(\S*)\s*(.*)$/s.exec(reply.trim()) ?? []
  const answer = answerOf(word.toLowerCase())
  return answer && { ...answer, ...(reason !== '' && { reason }) }
}

function answerOf(word: string): Given | undefined {
  if (word === 'y' || word === 'yes') return { answer: 'yes' }
  if (word === 'n' || word === 'no') return { answer: 'no' }
  if (word === 'always') return { answer: 'always' }
  return /^\d/.test(word) ? { answer: 'yes', hunks: numbersIn(word) } : undefined
}

function submitAnswer(
  list: PendingApprovals,
  { id, digest }: PendingApproval,
  given: Given,
  { json }: Values,
  terminal: Terminal,
): number {
  const closedQuestion = list.answer(id, { ...given, digest }, `${userName()} (approve)`)
  if (json) say(terminal, jsonLine(closedQuestion))
  else say(terminal, `${painter(terminal)('green', '✓')} ${closedLine(closedQuestion)}`)
  return EXIT.ok
}

/** Finds a question by its id or the beginning of it. */
function questionOf(list: PendingApprovals, typed: string): PendingApproval {
  const exact = list.get(typed)
  if (exact) return exact
  const matches = list.list().filter(({ id }) => id.startsWith(typed))
  const [only] = matches
  if (only && matches.length === 1) return only
  throw new ToolError('not_found', `There is ${matches.length > 1 ? 'more than one' : 'no'} question '${typed}' here`, {
    hint: 'toolwright approve lists the open ones',
  })
}

/** Returns the answer that the options give; undefined if they give none. */
function answerIn({ yes, no, always, hunks, reason }: Values): Given | undefined {
  const answers = [yes && 'yes', no && 'no', always && 'always', hunks !== undefined && !yes && 'yes']
  const [answer, ...more] = answers.filter(each => typeof each === 'string')
  if (more.length > 0 || (hunks !== undefined && answer !== 'yes'))
    throw new UsageError('Give one of --yes, --no, --always and --hunks', 'approve')
  if (answer === undefined && reason !== undefined)
    throw new UsageError('--reason goes with an answer, such as --no', 'approve')
  if (answer !== 'yes' && answer !== 'no' && answer !== 'always') return undefined
  return {
    answer,
    ...(hunks !== undefined && { hunks: numbersIn(hunks) }),
    ...(reason !== undefined && { reason }),
  }
}

function numbersIn(typed: string): readonly number[] {
  if (!/^\d{1,6}(?:,\d{1,6})*$/.test(typed)) throw new UsageError('--hunks takes numbers, such as 1,3', 'approve')
  return typed.split(',').map(Number)
}
