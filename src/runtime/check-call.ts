import { decide, type Decision } from '../guards/policy/decide.ts'
import { validate } from '../kernel/validate.ts'
import { findRemembered } from './approve.ts'
import { factsOf, prepareCommands } from './prepare.ts'
import type { Mounted } from './run.ts'
import type { Session } from './session.ts'
import { mayReveal, reveals } from './tool-traits.ts'

/** Returns the decision on a call without making it: the policy's verdict, and a remembered answer if it asks. */
export async function checkCall<Engines>(
  session: Session<Engines>,
  { contract, registry }: Mounted<Engines>,
  name: string,
  rawInput: unknown,
): Promise<Decision> {
  const { machine, policy, task } = session
  const tool = registry.get(name)
  const input = validate(tool, rawInput)
  const secrecy = session.secrets && mayReveal(tool) ? await import('./fetch-secrets.ts') : undefined
  await machine.load?.(tool.effects)
  const statedClaims = [...tool.claims(input, factsOf(session)), ...reveals(secrecy?.findPlaceholders(input) ?? [])]
  const claims = machine.canonical(statedClaims)
  await prepareCommands(claims)
  const decision = decide(policy, claims)
  if (decision.verdict !== 'ask' || decision.always) return decision
  const toolId = `${contract.id}/${tool.name}`
  const call = { tool, toolId, input, stated: statedClaims, claims, task, given: rawInput, decision }
  const { rule, notes = [] } = await findRemembered(session, call, session.clock.now())
  if (rule)
    return {
      ...decision,
      verdict: 'allow',
      rule: rule.id,
      why: `${decision.why}; the remembered answer ${rule.id} approves it, so no one is asked before it runs`,
    }
  return { ...decision, why: [decision.why, ...notes].join('; ') }
}
