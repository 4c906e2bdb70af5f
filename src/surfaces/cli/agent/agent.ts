import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { jsonLine } from '../../../kernel/json-line.ts'
import { ToolError } from '../../../kernel/error.ts'
import { openToolkit } from '../../../toolkit.ts'
import type { AgentOptions, AgentResult } from '../../agent/run-agent.ts'
import { workspaceOf } from '../find-workspace.ts'
import { OWN_OPTIONS } from '../own-options.ts'
import { stopOnInterrupt } from '../stop-on-interrupt.ts'
import { isTypedAt, residentAt, say, type Terminal } from '../terminal.ts'
import { configurationOf, EXIT, parse, UsageError } from '../usage.ts'

type Values = ReturnType<typeof parse<typeof OWN_OPTIONS.agent>>['values']

/** `toolwright agent`: lets a model work on a task with the tools of this workspace. */
export async function agent(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('agent', args, OWN_OPTIONS.agent)
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
  })
  const interrupt = stopOnInterrupt(terminal)
  try {
    const [{ runAgent }, { runLines }] = await Promise.all([
      import('../../agent/run-agent.ts'),
      import('./run-lines.ts'),
    ])
    const lines = runLines(terminal, { isJson: values.json === true, isVerbose: values.verbose === true })
    const options: AgentOptions = {
      ...(model !== undefined && { model }),
      ...addressOf(values),
      ...limitsOf(values),
      ...(values.contract && { contracts: values.contract }),
      ...schemaOf(values, terminal),
      ...(values.staged && { staged: true }),
      ...(values.resume !== undefined && { resume: values.resume }),
      session: { ...(values.allow && { permissions: values.allow }), ...(values.deny && { denials: values.deny }) },
      signal: interrupt.signal,
      onEvent: lines.event,
      env: terminal.env,
      ...(await answererOf(values, terminal)),
    }
    const result = await runAgent(kit, task, options)
    if (values.json) say(terminal, jsonLine(publicResult(result)))
    else lines.end(result, limitsOf(values))
    return exitCodeOf(result)
  } finally {
    interrupt.release()
    await kit.close()
  }
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

function limitsOf(values: Values): Pick<AgentOptions, 'maxTurns' | 'maxTotalTokens' | 'maxSeconds'> {
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

async function answererOf({ yes }: Values, terminal: Terminal): Promise<Pick<AgentOptions, 'approve'>> {
  if (yes) return { approve: () => ({ answer: 'yes', by: '--yes' }) }
  if (!isTypedAt(terminal)) return {}
  const answerer = (await import('../ask.ts')).askOn(terminal)
  return answerer ? { approve: answerer } : {}
}

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

const exitCodeOf = ({ status }: AgentResult): number => EXIT_OF[status]
