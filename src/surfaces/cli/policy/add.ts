import { ANY_VERSION, compileApproval, madeFor, type Grant } from '../../../guards/approval/approval.ts'
import { patternRefusal } from '../../../guards/approval/safe-pattern.ts'
import { isAboutCommands, denialRules } from '../../../guards/policy/permission.ts'
import { loadCommandParser } from '../../../guards/policy/command-parser.ts'
import type { AnyTool } from '../../../kernel/contract.ts'
import { isTool } from '../../../kernel/is-tool.ts'
import { jsonLine } from '../../../kernel/json-line.ts'
import { validatedSchemas } from '../../../kernel/json-schema.ts'
import { sanitize } from '../../../kernel/sanitize.ts'
import { expectedKeys, parameterNames } from '../../../kernel/validate.ts'
import { idsOf, unknownTool } from '../../../config/known-tools.ts'
import { allContracts } from '../../../contracts/load-contract.ts'
import { fromEntry, type ApprovalEntry } from '../../../runtime/approval-list.ts'
import type { StoredDenial } from '../../../machine/state/denials.ts'
import type { Toolkit } from '../../../toolkit.ts'
import { say, warn, type Terminal } from '../terminal.ts'
import { EXIT, UsageError } from '../usage.ts'
import type { Values, Verb } from './options.ts'

/** Same as approvals.expireDays in the configuration. */
const MOST_DAYS = 36_500

/** Stores a rule: an answer remembered for one tool, or deny rules. */
export const add: Verb = async (kit, words, values, terminal) => {
  const scope = values.scope ?? 'workspace'
  if (scope !== 'workspace' && scope !== 'user')
    throw new UsageError(`--scope is workspace or user, not '${scope}'`, 'policy')
  if (values.deny) return addDenials(kit, words, { ...values, scope, deny: values.deny }, terminal)
  const [tool = values.command && 'run', ...more] = words
  if (tool === undefined || more.length > 0) throw new UsageError('Name one tool, e.g. toolwright/write', 'policy')
  if ([values.path, values.pattern, values.command].filter(each => each !== undefined).length !== 1)
    throw new UsageError('Give either --path globs or one --pattern, or --command', 'policy')
  const { rule, warnings } = await answerRule(kit, {
    ...values,
    tool,
    scope,
    days: daysOf(kit, values),
    by: terminal.env['USER'] ?? 'user',
  })
  for (const warning of warnings) warn(terminal, sanitize(warning))
  const storedRule = storeAnswer(kit, rule)
  say(terminal, values.json ? jsonLine(storedRule) : `Added ${storedRule.id}`)
  return EXIT.ok
}

/** An answer to remember, before it is checked. */
interface WantedAnswer extends Pick<Values, 'path' | 'pattern' | 'command' | 'why'> {
  readonly tool: string
  readonly scope: 'workspace' | 'user'
  readonly days: number
  readonly by: string
}

type AnswerRule = Omit<ApprovalEntry, 'id' | 'scope'> & { readonly scope: 'workspace' | 'user' }

/** Returns the rule that would be stored, and what a person should know of it. Throws if it is not understood. */
export async function answerRule(
  kit: Toolkit,
  request: WantedAnswer,
): Promise<{ readonly rule: AnswerRule; readonly warnings: readonly string[] }> {
  const { tool, scope, days, by, pattern, why } = request
  const { contracts, known } = await toolsOf(kit)
  const id = tool.includes('/') ? tool : `toolwright/${tool}`
  if (id.endsWith('/*') || !known.some(name => isTool(name, id))) throw unknownTool(tool, known)
  const matchingTool = contracts.flatMap(contract =>
    contract.tools.filter(({ name }) => `${contract.id}/${name}` === id),
  )[0]
  const now = Date.now()
  const rule: AnswerRule = {
    tool: id,
    ...(pattern === undefined ? { grants: grantsOf(request) } : { pattern }),
    scope,
    ...(scope === 'workspace' && { workspace: kit.state.key }),
    by,
    at: new Date(now).toISOString(),
    expiresAt: new Date(now + days * 86_400_000).toISOString(),
    enabled: true,
    made: matchingTool ? madeFor(matchingTool) : ANY_VERSION,
    ...(why !== undefined && { why }),
  }
  const { compiled } = await compileApproval(fromEntry({ ...rule, id: 'new' }))
  if (pattern !== undefined && matchingTool) await ensureMatchable(pattern, id, matchingTool.input)
  const warnings = 'warnings' in compiled ? compiled.warnings.map(warning => `Warning: ${warning}`) : []
  const note = `Note: only its program knows '${id}', so the rule applies to every version of it`
  return { rule, warnings: matchingTool ? warnings : [...warnings, note] }
}

/** Stores a checked rule, and journals who added it. */
export function storeAnswer({ workspace }: Toolkit, rule: AnswerRule): ApprovalEntry {
  const entry = workspace.approvals[rule.scope].add(rule)
  workspace.journal.append(
    { type: 'rule', change: 'added', rule: entry.id, tool: entry.tool, scope: rule.scope, by: entry.by },
    { durable: true },
  )
  return entry
}

async function toolsOf({ config }: Toolkit) {
  const contracts = await allContracts()
  return { contracts, known: [...idsOf(contracts), ...config.config.tools] }
}

function daysOf({ config }: Toolkit, { expires }: Values): number {
  const days = expires === undefined ? config.config.approvals.expireMs / 86_400_000 : Number(expires)
  if (days > 0 && days <= MOST_DAYS) return days
  throw new UsageError(`--expires wants a number of days, at most ${MOST_DAYS}, not '${expires}'`, 'policy')
}

const grantsOf = ({ path = [], command = [] }: Pick<Values, 'path' | 'command'>): readonly Grant[] => [
  ...path.flatMap(each => [
    { action: 'write' as const, path: each },
    { action: 'read' as const, path: each },
  ]),
  ...command.map(each => ({ action: 'exec' as const, command: each, asRule: true as const })),
]

type DenialValues = Values & { readonly scope: 'workspace' | 'user'; readonly deny: readonly string[] }

async function addDenials(
  kit: Toolkit,
  words: readonly string[],
  { deny, scope, why, expires, path, pattern, command, json }: DenialValues,
  terminal: Terminal,
): Promise<number> {
  if (words.length > 0) throw new UsageError('A deny rule holds for every tool; leave the tool out', 'policy')
  if (expires !== undefined)
    throw new UsageError(
      'A deny rule does not expire; remove it with policy remove when it is no longer wanted',
      'policy',
    )
  if ([path, pattern, command].some(each => each !== undefined))
    throw new UsageError("--deny takes the whole rule, such as 'exec:git push' or 'fs:write:src/**'", 'policy')
  await ensureDenials(deny)
  const by = terminal.env['USER'] ?? 'user'
  for (const { added, isNew } of await storeDenials(kit, { deny, scope, by, why }))
    say(terminal, json ? jsonLine(added) : isNew ? `Added ${added.id}` : `${added.id} denies that already`)
  return EXIT.ok
}

/** Throws unless all of these deny rules are understood. */
export async function ensureDenials(deny: readonly string[]): Promise<void> {
  if (deny.some(isAboutCommands)) await loadCommandParser()
  denialRules(deny)
}

interface WantedDenials {
  readonly deny: readonly string[]
  readonly scope: 'workspace' | 'user'
  readonly by: string
  readonly why: string | undefined
}

/** Stores deny rules that are understood, and journals who added them. One that is stored already is left alone. */
export async function storeDenials(
  { workspace }: Toolkit,
  { deny, scope, by, why }: WantedDenials,
): Promise<readonly { readonly added: StoredDenial; readonly isNew: boolean }[]> {
  const shelf = (await workspace.denials())[scope]
  return [...new Set(deny)].map(each => {
    const existingDenial = shelf.list().find(one => one.deny === each && one.enabled)
    if (existingDenial) return { added: existingDenial, isNew: false }
    const at = new Date().toISOString()
    const newDenial = shelf.add({ deny: each, scope, by, at, enabled: true, ...(why !== undefined && { why }) })
    workspace.journal.append(
      { type: 'rule', change: 'added', rule: newDenial.id, deny: each, scope, by },
      { durable: true },
    )
    return { added: newDenial, isNew: true }
  })
}

/** Refuses a rule that no call of its tool can match, while its author can still correct it. */
async function ensureMatchable(pattern: string, id: string, schema: AnyTool<never>['input']): Promise<void> {
  // Loaded on demand: only adding a rule needs the expression engine.
  const [{ neverMatches }, { exampleCall }] = await Promise.all([
    import('../../../guards/approval/never-matches.ts'),
    import('../../../guards/approval/parameter-shape.ts'),
  ])
  const parameterKeys = expectedKeys(schema)
  const parameters = {
    names: parameterNames(schema),
    required: parameterKeys.filter(key => !key.endsWith('?')),
    values: validatedSchemas(schema),
  }
  const why = neverMatches(pattern, parameters)
  if (why !== undefined)
    throw patternRefusal(
      pattern,
      `it can never match a call of ${id}: ${why}`,
      `A call is matched as JSON without spaces, such as ${exampleCall(parameters)}. Parameters of ${id}: ${parameterKeys.join(', ')}`,
    )
}
