import type { JudgedBy } from '../../guards/judgement.ts'
import type { Granted } from '../../guards/policy/session-policy.ts'
import type { Session } from '../session.ts'
import type { SessionFacts } from './recording.ts'

/** Returns what recorded calls are judged by when replayed, without the settings of the vault and the machine. */
export function sessionFacts(
  { id, task, account, workspace, secrets }: Pick<Session<never>, 'id' | 'task' | 'account' | 'workspace' | 'secrets'>,
  mount: { readonly contract: string; readonly readOnly: boolean },
  {
    policy,
    permissions,
    repositories,
    limits,
    budgets,
    plans,
    justifications,
    approvals,
    timeouts,
    loadMs,
    effects,
  }: JudgedBy,
  grants: Granted,
): SessionFacts {
  return {
    id,
    task,
    ...(account !== task && { account }),
    workspace,
    ...mount,
    secrets: secrets !== undefined,
    config: {
      policy: { defaults: policy.defaults, rules: policy.rules },
      permissions,
      ...(repositories && { repositories }),
      limits: { answerBytes: limits.answerBytes },
      budgets,
      plans: { require: plans.require },
      justifications,
      approvals: { expireMs: approvals.expireMs },
      ...(timeouts && { timeouts }),
      ...(loadMs !== undefined && { loadMs }),
      ...(effects && { effects }),
    },
    granted: pick(grants),
  }
}

/** A new kind of grant does not compile until it is recorded. */
function pick({ permissions, denials, stored, permissionsOnly, grantSecrets, commands, protection }: Granted): Granted {
  const all = { permissions, denials, stored, permissionsOnly, grantSecrets, commands, protection } satisfies Record<
    keyof Required<Granted>,
    unknown
  >
  return JSON.parse(JSON.stringify(all))
}
