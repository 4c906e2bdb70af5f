import { egressOf } from '../guards/egress/egress.ts'
import { decide } from '../guards/policy/decide.ts'
import { loadCommandParser } from '../guards/policy/command-parser.ts'
import { readsMemory } from '../kernel/claim.ts'
import type { ToolError } from '../kernel/error.ts'
import { quoted, quotedUnlessPlain } from '../kernel/sanitize.ts'
import type { PastFix, Session } from './session.ts'

type Ended = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: ToolError }

const MOST_QUOTED = 200
const MOST_TYPED = 60

/** Returns one line on the best past fix of a failed command, validator or test run; undefined if there is none. */
export async function pastFixHint<Engines>(
  { machine, policy }: Pick<Session<Engines>, 'machine' | 'policy'>,
  finishedCall: Ended,
): Promise<string | undefined> {
  const failure = failureOf(finishedCall)
  if (failure === undefined || !machine.pastFix) return undefined
  await loadCommandParser()
  if (decide(policy, readsMemory(machine.facts)).verdict !== 'allow') return undefined
  // A hint is a courtesy: a memory that cannot be read must not fail the call.
  const pastFix = await machine.pastFix(failure, egressOf(policy)).catch(() => undefined)
  return pastFix && lineOf(pastFix)
}

/** Quotes all that was recorded: it is data, and may come from anyone. */
function lineOf({ id, errorType, userValidated, solution }: PastFix): string {
  const description = [errorType.slice(0, MOST_TYPED), solution.trim()].filter(Boolean).join(': ')
  const verdict = userValidated ? 'validated' : 'not validated'
  return `Past fix ${quotedUnlessPlain(id)} (${verdict}), recorded as ${quoted(description, { max: MOST_QUOTED })}`
}

/** Returns what a failed command or validator printed; undefined for anything else. */
function failureOf(ended: Ended): string | undefined {
  const { exitCode, stdout, stderr, running, validators }: Partial<Record<string, unknown>> = Object(
    ended.ok ? ended.data : ended.error.details,
  )
  if (Array.isArray(validators)) {
    const failedValidators = validators.map(each => Object(each)).filter(({ passed }) => passed === false)
    const outputs = failedValidators.flatMap(each => [each.output, each.stderr, each.stdout]).filter(isText)
    return outputs.length > 0 ? outputs.join('\n') : undefined
  }
  const hasFailed = typeof exitCode === 'number' && exitCode !== 0 && running !== true
  return hasFailed ? [stderr, stdout].filter(isText).join('\n') || undefined : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
