import { isDeepStrictEqual } from 'node:util'
import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { RunLimits } from '../../agent/run-budget.ts'
import type { CallResult, RunUsage } from '../../agent/run-events.ts'
import { ToolError } from '../../kernel/error.ts'
import { readJournal } from '../../machine/journal/read.ts'
import { isCall } from '../../machine/journal/record.ts'
import { createRunLog, openRunLog, type RunLine } from '../../machine/state/run-log.ts'
import type { Toolkit } from '../../toolkit.ts'
import type { AgentOptions } from './agent-options.ts'

/** What a run was started with, as far as it can be written down. */
interface RunFacts {
  readonly model?: string
  readonly baseUrl?: string
  readonly apiKeyEnv?: string
  readonly promptOnly?: boolean
  readonly contracts?: readonly string[]
  readonly outputSchema?: Readonly<Record<string, unknown>>
  readonly staged?: boolean
  readonly limits?: RunLimits
}

/** A run as it is stored: what happened before it was stopped, and what happens now. */
export interface RunRecord {
  readonly id: string
  readonly facts: RunFacts
  /** The transaction that holds its changes, if it is staged. */
  readonly transaction: string | undefined
  /** What the run had used before. */
  usage(): RunUsage | undefined
  /** Returns the conversation so far, or a new one with the task. */
  messages(system: () => LanguageModelV4Message): readonly LanguageModelV4Message[]
  /** Returns the results of calls that the model has not got yet. */
  results(kit: Toolkit): ReadonlyMap<string, CallResult>
  note(line: RunLine): void
}

/** Opens the record of a new run, or of the one that is resumed. */
export function openRunRecord(kit: Toolkit, newId: string, task: string | undefined, options: AgentOptions): RunRecord {
  const { resume } = options
  if (resume === undefined && task === undefined)
    throw new ToolError('invalid_input', 'The run has no task', { hint: 'Say what to do' })
  const id = resume ?? newId
  const log = resume === undefined ? createRunLog(kit.state.runs, id) : openRunLog(kit.state.runs, id)
  const { before } = log
  const facts: RunFacts = Object(before.find(({ type }) => type === 'run'))
  if (resume === undefined) log.append({ type: 'run', id, ...factsOf(options) })
  const stored = before.flatMap(({ type, message }) => (type === 'message' ? [message as LanguageModelV4Message] : []))
  if (resume !== undefined && task === undefined && isOver(before))
    throw new ToolError('conflict', `The run '${id}' is complete`, { hint: 'Give a TASK to go on with it' })
  return {
    id,
    facts,
    transaction: before.findLast(({ type }) => type === 'staged')?.['transaction'] as string | undefined,
    usage: () => before.findLast(({ type }) => type === 'usage')?.['usage'] as RunUsage | undefined,
    messages(system) {
      const first = stored.length === 0 ? [system()] : []
      const next: readonly LanguageModelV4Message[] =
        task === undefined ? [] : [{ role: 'user', content: [{ type: 'text', text: task }] }]
      const added = [...first, ...next]
      for (const message of added) log.append({ type: 'message', message })
      return [...stored, ...added]
    },
    results: kitNow => unreadResults(kitNow, id, before, stored.at(-1)),
    note: log.append,
  }
}

const isOver = (lines: readonly RunLine[]): boolean =>
  lines.findLast(({ type }) => type === 'end')?.['status'] === 'completed'

const factsOf = (options: AgentOptions): RunFacts => {
  const { model, baseUrl, apiKeyEnv, promptOnly, contracts, outputSchema, staged } = options
  const { maxTurns, maxTotalTokens, maxCost } = options
  return {
    ...(typeof model === 'string' && { model }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(apiKeyEnv !== undefined && { apiKeyEnv }),
    ...(promptOnly && { promptOnly }),
    ...(contracts && { contracts }),
    ...(outputSchema && { outputSchema }),
    ...(staged && { staged }),
    limits: {
      ...(maxTurns !== undefined && { maxTurns }),
      ...(maxTotalTokens !== undefined && { maxTotalTokens }),
      ...(maxCost !== undefined && { maxCost }),
    },
  }
}

/**
 * Returns what the calls of the last answer gave: by the record of the run, else by the journal, where a call stands
 * whose process ended before its result was noted. A call that changed something is never made again.
 */
function unreadResults(
  { state }: Toolkit,
  task: string,
  before: readonly RunLine[],
  last: LanguageModelV4Message | undefined,
): ReadonlyMap<string, CallResult> {
  if (last?.role !== 'assistant') return new Map()
  const noted = new Map(
    before.flatMap(({ type, call, result }) =>
      type === 'result' ? [[String(call), result as CallResult] as const] : [],
    ),
  )
  const known = new Set([...noted.values()].map(({ id }) => id))
  const left = [...readJournal(state.journal)].filter(
    record => isCall(record) && record['task'] === task && !known.has(String(record['id'])) && record['ok'] === true,
  )
  const results = last.content.flatMap(part => {
    if (part.type !== 'tool-call') return []
    const result = noted.get(part.toolCallId)
    if (result) return [[part.toolCallId, result] as const]
    const at = left.findIndex(
      ({ tool, input }) =>
        String(tool).endsWith(`/${part.toolName}`) && isDeepStrictEqual(given(input, part.input), part.input),
    )
    const [record] = at === -1 ? [] : left.splice(at, 1)
    if (!record) return []
    const text = `This call was made before the run stopped; only its answer was lost. Its id is ${String(record['id'])}.`
    return [[part.toolCallId, { ok: true, text, id: String(record['id']) }] as const]
  })
  return new Map(results)
}

/** Returns the parameters that the model gave: the journal has those that the schema added, too. */
const given = (input: unknown, by: unknown): unknown =>
  Object.fromEntries(Object.entries(Object(input)).filter(([key]) => Object.hasOwn(Object(by), key)))
