import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { jsonLine } from '../../../kernel/json-line.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { Limit, RunLimits } from '../../../agent/run-budget.ts'
import type { AgentConfig } from '../../../config/agent.ts'
import type { Answer, Answerer } from '../../../runtime/questions.ts'
import { openToolkit, type ToolkitOptions } from '../../../toolkit.ts'
import type { AgentOptions, AgentResult } from '../../agent/agent-options.ts'
import { workspaceOf } from '../find-workspace.ts'
import { OWN_OPTIONS } from '../own-options.ts'
import { withRecording } from '../record.ts'
import { stopOnInterrupt } from '../stop-on-interrupt.ts'
import { isTypedAt, residentAt, say, type Terminal } from '../terminal.ts'
import { waitOf } from '../wait-for-approval.ts'
import { configurationOf, EXIT, parse, UsageError } from '../usage.ts'

type Values = ReturnType<typeof parse<typeof OWN_OPTIONS.agent>>['values']

/** `toolwright agent`: lets a model work on a task with the tools of this workspace. */
export async function agent(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('agent', args, OWN_OPTIONS.agent)
  if (values.acp) return serveEditor(values, terminal)
  const task = await taskOf(positionals, values, terminal)
  const { model } = values
  if (model === undefined && values.resume === undefined)
    throw new UsageError('Name the model: --model PROVIDER/NAME, such as ollama/qwen3', 'agent')
  const root = workspaceOf(terminal, values)
  const kit = await openToolkit({
    root,
    env: terminal.env,
    isBrief: true,
    resident: residentAt(terminal),
    ...configurationOf(values),
    client: 'toolwright agent',
    ...(values['wait-for-approval'] !== undefined && waitOf(values['wait-for-approval'], 'agent')),
  })
  const interrupt = stopOnInterrupt(terminal)
  const { agent: configured } = kit.config.config
  const limits = { ...limitsIn(configured), ...limitsOf(values) }
  try {
    const [{ runAgent }, { runLines }] = await Promise.all([
      import('../../agent/run-agent.ts'),
      import('./run-lines.ts'),
    ])
    const lines = runLines(terminal, { isJson: values.json === true, isVerbose: values.verbose === true })
    const optionsWith = async (recorder: Pick<ToolkitOptions, 'record'>): Promise<AgentOptions> => ({
      ...(model !== undefined && { model }),
      ...addressOf(values),
      ...limits,
      ...settingsOf(configured, values),
      ...(values.contract && { contracts: values.contract }),
      ...schemaOf(values, terminal),
      ...(values.staged && { staged: true }),
      ...(values.resume !== undefined && { resume: values.resume }),
      session: {
        ...recorder,
        ...(values.allow && { permissions: values.allow }),
        ...(values.deny && { denials: values.deny }),
      },
      signal: interrupt.signal,
      onEvent: lines.event,
      env: terminal.env,
      ...(await answererOf(values, terminal, interrupt.stop)),
      ...(configured.onLimit === 'ask' && isTypedAt(terminal) && { onLimit: askForMore(terminal, limits) }),
    })
    const result = await withRecording(values.record, terminal, async recorder =>
      runAgent(kit, task, await optionsWith(recorder)),
    )
    if (values.json) say(terminal, jsonLine(publicResult(result)))
    else lines.end(result, limits)
    return EXIT_OF[result.status]
  } finally {
    interrupt.release()
    await kit.close()
  }
}

/** Serves an editor until it closes the input. */
async function serveEditor(values: Values, terminal: Terminal): Promise<number> {
  const { model } = values
  if (model === undefined) throw new UsageError('Name the model: --acp --model PROVIDER/NAME', 'agent')
  // Other output of this process must not mix with the messages.
  Object.assign(console, { log: console.error, info: console.error, debug: console.error })
  const [{ serveAcp }, { Readable }] = await Promise.all([import('../../acp/serve-acp.ts'), import('node:stream')])
  await serveAcp({
    input: Readable.toWeb(terminal.stdin) as ReadableStream<Uint8Array>,
    output: new WritableStream({ write: bytes => void terminal.stdout.write(bytes) }),
    openKit: root =>
      openToolkit({
        root,
        env: terminal.env,
        resident: 'servers',
        ...configurationOf(values),
        client: 'toolwright agent',
      }),
    run: {
      model,
      ...addressOf(values),
      ...limitsOf(values),
      ...(values.contract && { contracts: values.contract }),
      session: { ...(values.allow && { permissions: values.allow }), ...(values.deny && { denials: values.deny }) },
      env: terminal.env,
    },
  })
  return EXIT.ok
}

/** Returns the task: the argument, or what is piped in. */
async function taskOf(
  positionals: readonly string[],
  { resume }: Values,
  terminal: Terminal,
): Promise<string | undefined> {
  if (positionals.length > 1) throw new UsageError('Put the task in quotes: toolwright agent "TASK" …', 'agent')
  const [typed] = positionals
  if (typed !== undefined && typed !== '-') return typed
  if (typed === undefined && (resume !== undefined || terminal.stdin.isTTY)) {
    if (resume !== undefined) return undefined
    throw new UsageError('Say what to do: toolwright agent "TASK" --model PROVIDER/NAME', 'agent')
  }
  const piped = (await (await import('../read-all.ts')).readAll(terminal.stdin)).trim()
  if (piped === '') throw new UsageError('The task is empty', 'agent')
  return piped
}

const addressOf = ({
  'base-url': baseUrl,
  'api-key-env': apiKeyEnv,
}: Values): Pick<AgentOptions, 'baseUrl' | 'apiKeyEnv'> => ({
  ...(baseUrl !== undefined && { baseUrl }),
  ...(apiKeyEnv !== undefined && { apiKeyEnv }),
})

const limitsIn = ({ maxTurns, maxTotalTokens, maxSeconds, maxCost }: AgentConfig): RunLimits => ({
  ...(maxTurns !== undefined && { maxTurns }),
  ...(maxTotalTokens !== undefined && { maxTotalTokens }),
  ...(maxSeconds !== undefined && { maxSeconds }),
  ...(maxCost !== undefined && { maxCost }),
})

const settingsOf = (
  { prices = {}, maxRetries, maxSendBacks, promptOnly = [] }: AgentConfig,
  { model = '', 'prompt-only': inPrompt }: Values,
): Pick<AgentOptions, 'prices' | 'maxRetries' | 'maxSendBacks' | 'promptOnly'> => ({
  ...(Object.hasOwn(prices, model) && { prices: prices[model] }),
  ...(maxRetries !== undefined && { maxRetries }),
  ...(maxSendBacks !== undefined && { maxSendBacks }),
  ...((inPrompt || promptOnly.includes(model)) && { promptOnly: true }),
})

function limitsOf(values: Values): RunLimits {
  const [maxTurns, maxTotalTokens, maxSeconds] = [
    countOf(values, 'max-turns'),
    countOf(values, 'max-total-tokens'),
    countOf(values, 'max-seconds'),
  ]
  return {
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxTotalTokens !== undefined && { maxTotalTokens }),
    ...(maxSeconds !== undefined && { maxSeconds }),
  }
}

function countOf(values: Values, name: 'max-turns' | 'max-total-tokens' | 'max-seconds'): number | undefined {
  const text = values[name]
  if (text === undefined) return undefined
  const count = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(count > 0) || (name !== 'max-seconds' && !Number.isSafeInteger(count)))
    throw new UsageError(`--${name} takes a number above 0`, 'agent')
  return count
}

function schemaOf({ 'output-schema': file }: Values, { cwd }: Terminal): Pick<AgentOptions, 'outputSchema'> {
  if (file === undefined) return {}
  try {
    const outputSchema: unknown = JSON.parse(readFileSync(resolve(cwd, file), 'utf8'))
    if (typeof outputSchema === 'object' && outputSchema !== null && !Array.isArray(outputSchema))
      return { outputSchema: { ...outputSchema } }
  } catch (cause) {
    throw new ToolError('invalid_input', `The schema '${file}' cannot be read`, {
      hint: cause instanceof Error ? cause.message : String(cause),
      cause,
    })
  }
  throw new ToolError('invalid_input', `The schema '${file}' is no JSON object`, { hint: 'Give a JSON Schema' })
}

async function answererOf(
  { yes }: Values,
  terminal: Terminal,
  onInterrupt: () => void,
): Promise<Pick<AgentOptions, 'approve'>> {
  if (yes) return { approve: () => ({ answer: 'yes', by: '--yes' }) }
  if (!isTypedAt(terminal)) return {}
  const answerer = (await import('../ask.ts')).askOn(terminal, onInterrupt)
  return answerer ? { approve: oneByOne(answerer) } : {}
}

/** Calls side by side may each need an answer: a terminal shows one question at a time. */
function oneByOne(answerer: Answerer): Answerer {
  let last: Promise<unknown> = Promise.resolve()
  return question => {
    const answer = last.then(() => (question.closed.aborted ? NO_LONGER : answerer(question)))
    last = answer.catch(() => {})
    return answer
  }
}

const NO_LONGER: Answer = { answer: 'no', by: 'nobody', undecided: 'the question was closed' }

/** Asks at a limit how much more there may be. */
const askForMore =
  (terminal: Terminal, limits: RunLimits): NonNullable<AgentOptions['onLimit']> =>
  async limit => {
    const { typedLine } = await import('../ask.ts')
    const name = LIMIT_NAMES[limit]
    const reply = await typedLine(
      terminal,
      `The limit of ${limit} is reached (${limits[name]}). How many more? [none] `,
    )
    const more = Number(reply.trim())
    return more > 0 ? { [name]: (limits[name] ?? 0) + more } : undefined
  }

const LIMIT_NAMES = {
  turns: 'maxTurns',
  tokens: 'maxTotalTokens',
  time: 'maxSeconds',
  cost: 'maxCost',
} as const satisfies Readonly<Record<Limit, keyof RunLimits>>

const publicResult = ({ id, status, output, usage, changed, undo }: AgentResult): object => ({
  id,
  status,
  output,
  usage,
  changed,
  undo,
})

const EXIT_OF: Readonly<Record<AgentResult['status'], number>> = {
  completed: EXIT.ok,
  failed: EXIT.failed,
  budget_exceeded: EXIT.failed,
  refused: EXIT.refused,
  cancelled: EXIT.stopped,
}
