import { namedOrigins } from '../guards/egress/named-origins.ts'
import type { CommandGrant } from '../guards/policy/command-grant.ts'
import { loadCommandParser, loadCommandParsers } from '../guards/policy/command-parser.ts'
import type { Policy } from '../guards/policy/policy.ts'
import type { StartingLines } from '../guards/policy/start-rules.ts'
import type { Claim, Effect, Facts } from '../kernel/claim.ts'
import type { OpenOptions } from '../kernel/open-options.ts'
import type { StartRules } from '../kernel/start-rules.ts'
import type { Session } from './session.ts'

interface Rules extends Pick<OpenOptions, 'egress' | 'isJudged'> {
  /** Returns what the approval of the call's commands allows them. */
  readonly grantOf: (claims: readonly Claim[], byPerson: boolean) => CommandGrant
  /** Returns the rules for program starts, given the lines and what a person has approved. */
  readonly startRules: (starting: StartingLines) => StartRules | undefined
}

/** Returns the facts for claims: what the machine knows, and what the user has opened to every command. */
export const factsOf = <Engines>({ machine, policy }: Pick<Session<Engines>, 'machine' | 'policy'>): Facts => ({
  ...machine.facts,
  namedOrigins: () => namedOrigins(policy),
})

/** The rules for tools that declare neither commands nor connections. */
const CLOSED: Rules = {
  egress: { verdict: () => 'deny', refuses: () => 'the tool declares no connection' },
  isJudged: () => true,
  grantOf: (_claims, byPerson) => ({ byPerson, tree: 'writable', keepsRepository: () => false }),
  startRules: () => undefined,
}

/** Loads the code that a tool's effects need, and returns the rules that its engines are opened with. */
export function prepare<Engines>(
  { machine, policy }: Pick<Session<Engines>, 'machine' | 'policy'>,
  { effects }: { readonly effects: readonly Effect[] },
): Rules | Promise<Rules> {
  const loading = machine.load?.(effects)
  const isClosed = !effects.includes('exec') && !effects.includes('net')
  if (!loading) return isClosed ? CLOSED : openRules(policy)
  return loading.then(() => (isClosed ? CLOSED : openRules(policy)))
}

async function openRules(policy: Policy): Promise<Rules> {
  const [{ egressOf }, { isJudgedIfIgnored }, { commandGrant }, { startRulesOf }] = await Promise.all([
    import('../guards/egress/egress.ts'),
    import('../guards/policy/command-changes.ts'),
    import('../guards/policy/command-grant.ts'),
    import('../guards/policy/start-rules.ts'),
    loadCommandParser(),
  ])
  return {
    egress: egressOf(policy),
    isJudged: (path, isNew) => isJudgedIfIgnored(policy, path, isNew),
    grantOf: (claims, byPerson) => commandGrant(policy, claims, byPerson),
    startRules: starting => startRulesOf(policy, starting),
  }
}

/** Loads the parsers that judge the command lines of a call, and of calls whose stored texts it reads. */
export function prepareCommands(claims: readonly Claim[]): Promise<void> | undefined {
  const lines = commandLines(claims)
  return lines.length > 0 ? loadCommandParsers(lines) : undefined
}

const commandLines = (claims: readonly Claim[]): readonly string[] =>
  claims.flatMap(({ action, resource, origin = 'unknown' }) =>
    action === 'exec' ? [resource] : origin === 'unknown' ? [] : commandLines(origin.claims),
  )
