import { ANY_VERSION, compileApproval, madeFor, type Grant } from '../../../guards/approval/approval.ts'
import { refused } from '../../../guards/approval/safe-pattern.ts'
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
  const { contracts, known } = await toolsOf(kit)
  const id = tool.includes('/') ? tool : `toolwright/${tool}`
  if (id.endsWith('/*') || !known.some(name => isTool(name, id))) throw unknownTool(tool, known)
  const found = contracts.flatMap(contract => contract.tools.filter(({ name }) => `${contract.id}/${name}` === id))[0]
  const now = Date.now()
  const rule: Omit<ApprovalEntry, 'id'> = {
    tool: id,
    ...(values.pattern === undefined ? { grants: grantsOf(values) } : { pattern: values.pattern }),
    scope,
    ...(scope === 'workspace' && { workspace: kit.state.key }),
    by: terminal.env['USER'] ?? 'user',
    at: new Date(now).toISOString(),
    expiresAt: new Date(now + daysOf(kit, values) * 86_400_000).toISOString(),
    enabled: true,
    made: found ? madeFor(found) : ANY_VERSION,
    ...(values.why !== undefined && { why: values.why }),
  }
  const { compiled } = await compileApproval(fromEntry({ ...rule, id: 'new' }))
  if (values.pattern !== undefined && found) await ensureMatchable(values.pattern, id, found.input)
  if ('warnings' in compiled) for (const warning of compiled.warnings) warn(terminal, `Warning: ${sanitize(warning)}`)
  if (!found)
    warn(terminal, sanitize(`Note: only its program knows '${id}', so the rule applies to every version of it`))
  const added = kit.workspace.approvals[scope].add(rule)
  kit.workspace.journal.append(
    { type: 'rule', change: 'added', rule: added.id, tool: added.tool, scope, by: added.by },
    { durable: true },
  )
  say(terminal, values.json ? jsonLine(added) : `Added ${added.id}`)
  return EXIT.ok
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

const grantsOf = ({ path = [], command = [] }: Values): readonly Grant[] => [
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
  if (deny.some(isAboutCommands)) await loadCommandParser()
  // All of them are understood before the first is stored.
  denialRules(deny)
  const shelf = (await kit.workspace.denials())[scope]
  const by = terminal.env['USER'] ?? 'user'
  for (const each of new Set(deny)) {
    const known = shelf.list().find(one => one.deny === each && one.enabled)
    const added =
      known ??
      shelf.add({
        deny: each,
        scope,
        by,
        at: new Date().toISOString(),
        enabled: true,
        ...(why !== undefined && { why }),
      })
    if (!known)
      kit.workspace.journal.append(
        { type: 'rule', change: 'added', rule: added.id, deny: each, scope, by },
        { durable: true },
      )
    say(terminal, json ? jsonLine(added) : known ? `${added.id} denies that already` : `Added ${added.id}`)
  }
  return EXIT.ok
}

/** Refuses a rule that no call of its tool can match, while its author can still correct it. */
async function ensureMatchable(pattern: string, id: string, schema: AnyTool<never>['input']): Promise<void> {
  // Loaded on demand: only adding a rule needs the expression engine.
  const [{ neverMatches }, { exampleCall }] = await Promise.all([
    import('../../../guards/approval/never-matches.ts'),
    import('../../../guards/approval/parameter-shape.ts'),
  ])
  const expected = expectedKeys(schema)
  const parameters = {
    names: parameterNames(schema),
    required: expected.filter(key => !key.endsWith('?')),
    values: validatedSchemas(schema),
  }
  const why = neverMatches(pattern, parameters)
  if (why !== undefined)
    throw refused(
      pattern,
      `it can never match a call of ${id}: ${why}`,
      `A call is matched as JSON without spaces, such as ${exampleCall(parameters)}. Parameters of ${id}: ${expected.join(', ')}`,
    )
}
