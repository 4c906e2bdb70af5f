import { isDeepStrictEqual } from 'node:util'
import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { runLoop } from '../../agent/loop.ts'
import { playedModel, type RecordedAnswer } from '../../agent/recorded-model.ts'
import { createRunBudget } from '../../agent/run-budget.ts'
import type { CallResult } from '../../agent/run-events.ts'
import type { Toolbox } from '../../agent/toolbox.ts'
import { checkOutput } from '../../machine/validation/check-output.ts'
import type { RecordedRun } from '../../runtime/recording/read-recording.ts'
import type { Toolkit } from '../../toolkit.ts'
import type { AgentOptions } from './agent-options.ts'
import { runAgent, type recordedOptions } from './run-agent.ts'

/** How the replay of a run differs from its recording, at the first place. */
export interface RunDifference {
  /** The line of the recorded answer before which it differs. */
  readonly line: number
  /** The recorded call that is nearest, or the run itself. */
  readonly tool: string
  readonly where: 'answer' | 'conversation' | 'end'
  readonly recorded: unknown
  readonly now: unknown
}

/** Runs the loop again with the recorded answers of the model and the recorded results of its calls. Touches nothing. */
export async function replaySealed(run: RecordedRun): Promise<RunDifference | undefined> {
  const watch = watchRun(run, messages => messages)
  const { outputSchema, maxTurns, maxTotalTokens, maxSendBacks = 2 } = optionsOf(run)
  const limits = {
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxTotalTokens !== undefined && { maxTotalTokens }),
  }
  const { status, output } = await runLoop({
    model: watch.model,
    toolbox: recordedToolbox(run),
    messages: answersOf(run)[0]?.asked ?? [],
    budget: createRunBudget(limits),
    signal: new AbortController().signal,
    onEvent: () => {},
    onMessage: () => {},
    onResult: () => {},
    answer: outputSchema && {
      schema: outputSchema,
      maxSendBacks,
      check: async value => checkOutput({ answer: outputSchema }, 'answer', value),
    },
    maxRetries: Infinity,
    sleep: async () => {},
  })
  return watch.difference(status, output)
}

/** Runs the task again in this workspace, with the recorded answers of the model and real calls. */
export async function replayLive(
  run: RecordedRun,
  kit: Toolkit,
  options: Pick<AgentOptions, 'session' | 'approve' | 'signal' | 'onEvent'>,
): Promise<RunDifference | undefined> {
  const watch = watchRun(run, messages => comparable(messages, kit.root))
  const { contracts, outputSchema, maxTurns, maxTotalTokens, maxSendBacks } = optionsOf(run)
  const { status, output } = await runAgent(kit, taskOf(run), {
    ...options,
    model: watch.model,
    maxRetries: Infinity,
    ...(contracts && { contracts }),
    ...(outputSchema && { outputSchema }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxTotalTokens !== undefined && { maxTotalTokens }),
    ...(maxSendBacks !== undefined && { maxSendBacks }),
  })
  return watch.difference(status, output)
}

const optionsOf = ({ options }: RecordedRun) => Object(options) as Partial<ReturnType<typeof recordedOptions>>

const answersOf = ({ answers }: RecordedRun): readonly RecordedAnswer[] =>
  answers.map(({ answer }) => answer as RecordedAnswer)

function taskOf(run: RecordedRun): string {
  const message = answersOf(run)[0]?.asked.findLast(({ role }) => role === 'user')
  const [part] = message?.role === 'user' ? message.content : []
  return part?.type === 'text' ? part.text : ''
}

/** Gives the recorded answers, and compares what each request says with what it said when it was recorded. */
function watchRun(run: RecordedRun, view: (messages: LanguageModelV4Prompt) => unknown) {
  let first: RunDifference | undefined
  let at = 0
  const model = playedModel(answersOf(run), (now, recorded) => {
    const line = run.answers[at++]?.line ?? run.line
    if (first || isDeepStrictEqual(view(now), view(recorded ?? []))) return
    first = { line, ...nearest(now, recorded, view) }
  })
  return {
    model,
    difference(status: string, output: unknown): RunDifference | undefined {
      if (first || !run.end) return first
      const [recorded, now] = [run.end, { status, output }]
      return isDeepStrictEqual(recorded, now) ? undefined : { line: run.line, tool: 'run', where: 'end', recorded, now }
    },
  }
}

/** Names the recorded call whose result differs first. */
function nearest(
  now: LanguageModelV4Prompt,
  recorded: LanguageModelV4Prompt | undefined,
  view: (messages: LanguageModelV4Prompt) => unknown,
): Omit<RunDifference, 'line'> {
  const calls = new Map(now.flatMap(message => (message.role === 'assistant' ? message.content : [])).flatMap(callOf))
  const before = resultsIn(recorded ?? [])
  for (const part of resultsIn(now)) {
    const was = before.find(({ toolCallId }) => toolCallId === part.toolCallId)
    const [one, other] = [part, was].map(each => each && view([{ role: 'tool', content: [each] }]))
    if (!isDeepStrictEqual(one, other))
      return {
        tool: `${part.toolName} ${JSON.stringify(calls.get(part.toolCallId) ?? {})}`,
        where: 'answer',
        recorded: was?.output,
        now: part.output,
      }
  }
  return { tool: 'run', where: 'conversation', recorded: view(recorded ?? []), now: view(now) }
}

type AssistantPart = Extract<LanguageModelV4Prompt[number], { role: 'assistant' }>['content'][number]

const callOf = (part: AssistantPart): readonly (readonly [string, unknown])[] =>
  part.type === 'tool-call' ? [[part.toolCallId, part.input]] : []

const resultsIn = (messages: LanguageModelV4Prompt): readonly LanguageModelV4ToolResultPart[] =>
  messages
    .flatMap(message => (message.role === 'tool' ? message.content : []))
    .flatMap(part => (part.type === 'tool-result' ? [part] : []))

/** Returns the conversation without what differs from run to run: ids, references, times, and the place of the workspace. */
function comparable(messages: LanguageModelV4Prompt, root: string): unknown {
  const text = JSON.stringify(messages.filter(({ role }) => role !== 'system'))
    .replaceAll(JSON.stringify(root).slice(1, -1), '.')
    .replaceAll(/\bref:[0-9a-f]{16,64}\b/g, 'ref:…')
    .replaceAll(/\b0[0-9a-z]{17}\b/g, 'id…')
    .replaceAll(/\b\d+(\.\d+)? m?s\b/g, '… s')
  return JSON.parse(text)
}

/** Returns tools that answer as they did, each call once. */
function recordedToolbox(run: RecordedRun): Toolbox {
  const answers = answersOf(run)
  const results = resultsIn(answers.flatMap(({ asked }) => asked))
  const inputs = new Map(
    answers
      .flatMap(({ parts }) => parts)
      .flatMap(part => (part.type === 'tool-call' ? [[part.toolCallId, part.input]] : [])),
  )
  const left = results.map(part => ({ part, input: inputs.get(part.toolCallId) }))
  return {
    tools: [],
    instructions: '',
    async call(tool, input) {
      const at = left.findIndex(
        one => one.part.toolName === tool && isDeepStrictEqual(JSON.parse(one.input || '{}'), input),
      )
      const [found] = at === -1 ? [] : left.splice(at, 1)
      return found ? resultOf(found.part) : { ok: false, text: 'The recording has no such call' }
    },
    keep: () => 'ref:0000000000000000',
  }
}

function resultOf({ output }: LanguageModelV4ToolResultPart): CallResult {
  if (output.type === 'text' || output.type === 'error-text') return { ok: output.type === 'text', text: output.value }
  if (output.type !== 'content') return { ok: false, text: JSON.stringify(output) }
  const text = output.value.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
  const images = output.value.flatMap(part =>
    part.type === 'file' && part.data.type === 'data'
      ? [{ mediaType: part.mediaType, base64: String(part.data.data) }]
      : [],
  )
  return { ok: true, text, images }
}
