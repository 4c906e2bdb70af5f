import type { Action } from '../../kernel/claim.ts'
import type { Protection } from './builtin.ts'
import { denialRules } from './permission.ts'
import { ALL_ALLOWED, makePolicy, NO_POWER, type Policy } from './policy.ts'
import type { Rule } from './rule.ts'
import type { Verdict } from '../verdict.ts'

/** The policy part of the configuration. */
export interface Configured {
  readonly policy: { readonly defaults: Readonly<Record<Action, Verdict>>; readonly rules: readonly Rule[] }
  readonly permissions: readonly string[]
  /** Origins of the repositories that it names. */
  readonly repositories?: readonly string[]
}

/** Grants and denials of the caller who opens a session. */
export interface Granted {
  readonly permissions?: readonly string[]
  /** Permission strings that are denied, whatever else allows them. */
  readonly denials?: readonly string[]
  /** Deny rules that a person stored, and what stands for those that cannot be read. */
  readonly stored?: readonly Rule[]
  /** Denies everything that the permissions do not grant, whatever the configuration says. */
  readonly permissionsOnly?: boolean
  readonly grantSecrets?: boolean
  readonly commands?: readonly CommandLists[]
  readonly protection?: Protection
}

/** Commands outside `allow` are denied, and those of `deny` in any case. */
export interface CommandLists {
  /** The owner of the lists, so that a refusal can name it; the session by default. */
  readonly of?: 'tool' | 'call' | 'session'
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
}

/** Returns the policy of one session. The configuration's own denials apply to every session, and so do the session's. */
export function sessionPolicy({ policy, permissions: usual, repositories }: Configured, grants: Granted): Policy {
  const { permissions = [], permissionsOnly = false, grantSecrets = false, commands = [], protection } = grants
  const denyRules = [...denialRules(grants.denials ?? []), ...(grants.stored ?? [])]
  const all = [...permissions, ...(grantSecrets ? ['secret:*'] : [])]
  const within = commands.reduce<Policy | undefined>((outer, lists) => listsOf(lists, outer), undefined)
  if (!permissionsOnly)
    return makePolicy({
      defaults: policy.defaults,
      rules: [...policy.rules, ...denyRules],
      permissions: [...usual, ...all],
      ...(repositories && { repositories }),
      ...(protection && { protection }),
      ...(within && { within }),
    })
  const rules = [...policy.rules.filter(rule => rule.verdict === 'deny'), ...denyRules]
  return makePolicy({
    defaults: NO_POWER,
    rules: rules.map(rule => ({ ...rule, narrows: true as const })),
    permissions: all,
    ...(protection && { protection }),
    ...(within && { within }),
  })
}

const OWNERS: Readonly<Record<NonNullable<CommandLists['of']>, string>> = {
  tool: 'the tool (createBashTool)',
  call: 'the call (context.commands)',
  session: 'the session',
}

/** Returns the lists as a policy that every command must pass as well. */
const listsOf = ({ of = 'session', allow, deny = [] }: CommandLists, within: Policy | undefined): Policy =>
  makePolicy({
    defaults: { ...ALL_ALLOWED, ...(allow && { exec: 'deny' as const }) },
    rules: deny.map((command, at) => ({
      id: `${of}.commands.deny.${at + 1}`,
      action: 'exec',
      command,
      verdict: 'deny',
      source: 'session',
      why: `'${command}' is on the list of denied commands of ${OWNERS[of]}`,
    })),
    permissions: (allow ?? []).map(command => `exec:${command}`),
    ...(allow && {
      allowList: {
        rule: `${of}.commands.allow`,
        why: `it is not on the list of allowed commands of ${OWNERS[of]}`,
      },
    }),
    asksForSecrets: false,
    ...(within && { within }),
  })
