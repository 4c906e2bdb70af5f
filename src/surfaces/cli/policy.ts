import { ANY_VERSION, compileApproval, madeFor } from '../../guards/approval/approval.ts'
import { refused } from '../../guards/approval/safe-pattern.ts'
import { answersWithAskedChanges, rulesWithAskedChanges } from '../../guards/policy/asked-changes.ts'
import { sessionPolicy } from '../../guards/policy/session-policy.ts'
import type { Decision } from '../../guards/policy/decide.ts'
import type { AnyTool } from '../../kernel/contract.ts'
import { parseOnce } from '../../kernel/duplicate-key.ts'
import { ToolError } from '../../kernel/error.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { isTool } from '../../kernel/is-tool.ts'
import { validatedSchemas } from '../../kernel/json-schema.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { expectedKeys, parameterNames } from '../../kernel/validate.ts'
import { idsOf, unknownTool } from '../../config/known-tools.ts'
import { fromEntry, type ApprovalEntry } from '../../runtime/approval-list.ts'
import { allContracts, loadContract } from '../../contracts/load-contract.ts'
import { openToolkit, type Toolkit } from '../../toolkit.ts'
import { workspaceOf } from './find-workspace.ts'
import { jsonLines } from './json-lines.ts'
import { painter, say, warn, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

/** Same as approvals.expireDays in the configuration. */
const MOST_DAYS = 36_500

const OPTIONS = {
  path: { type: 'string', multiple: true },
  pattern: { type: 'string' },
  scope: { type: 'string' },
  expires: { type: 'string' },
  why: { type: 'string' },
  jsonl: { type: 'boolean' },
} as const

type Values = ReturnType<typeof parse<typeof OPTIONS>>['values']

/** `toolwright policy`: shows remembered answers, and tests what would be decided. */
export async function policy(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('policy', args, OPTIONS)
  const [verb, ...rest] = positionals
  const work = Object.hasOwn(VERBS, verb ?? 'list') ? VERBS[verb ?? 'list'] : undefined
  if (!work) throw new UsageError(`'policy' has no '${verb}'`, 'policy')
  const kit = await openToolkit({
    root: workspaceOf(terminal, values),
    env: terminal.env,
    ...(values.config !== undefined && { config: values.config }),
  })
  try {
    return await work(kit, rest, values, terminal)
  } finally {
    await kit.close()
  }
}

type Verb = (kit: Toolkit, rest: readonly string[], values: Values, terminal: Terminal) => Promise<number>

const VERBS: Readonly<Record<string, Verb>> = {
  async list(kit, _rest, values, terminal) {
    const all = approvalsOf(kit)
    if (values.json) {
      say(terminal, jsonLine(all))
      return EXIT.ok
    }
    for (const shelf of Object.values(kit.workspace.approvals)) {
      const broken = shelf.problem()
      if (broken) warn(terminal, sanitize(`${broken.message} ${broken.hint ?? ''}`, { max: 2000 }))
    }
    const paint = painter(terminal)
    for (const approval of all) {
      const what =
        approval.pattern ??
        (approval.grants ?? [])
          .map(({ action, path, command, host, secret }) => `${action} ${path ?? command ?? host ?? secret ?? '*'}`)
          .join(', ')
      const problem = await compileApproval(fromEntry(approval)).then(
        () => '',
        (error: unknown) => ` ${paint('red', sanitize(error instanceof Error ? error.message : String(error)))}`,
      )
      say(
        terminal,
        `${approval.id}  ${approval.enabled ? 'on ' : 'off'}  ${sanitize(approval.tool)}  ${sanitize(what)}  ${approval.scope}${problem}`,
      )
      const facts = [
        `by ${approval.by}`,
        `at ${approval.at}`,
        `${approval.expired ? 'expired' : 'expires'} ${approval.expiresAt ?? 'never'}`,
        `last used ${approval.lastUsed ?? 'never'}`,
        ...(approval.made ? [] : ['no longer applies: stored by an older version, without the version of its tool']),
        ...(approval.why ? [approval.why] : []),
      ]
      say(terminal, paint('dim', `    ${sanitize(facts.join(', '))}`))
    }
    if (all.length === 0) say(terminal, 'Nothing is remembered: every question is asked.')
    const policyNow = sessionPolicy(kit.config.config, {})
    for (const { id, command } of rulesWithAskedChanges(policyNow))
      say(terminal, sanitize(`${id}: changes by '${command}' are asked about, because the rule has no "writes"`))
    for (const { id, command } of answersWithAskedChanges(policyNow, all))
      say(
        terminal,
        sanitize(`${id}: changes by '${command}' are asked about, because the remembered answer names no files`),
      )
    return EXIT.ok
  },

  async add(kit, [tool, ...more], values, terminal) {
    if (tool === undefined || more.length > 0) throw new UsageError('Name one tool, e.g. toolwright/write', 'policy')
    const scope = values.scope ?? 'workspace'
    if (scope !== 'workspace' && scope !== 'user')
      throw new UsageError(`--scope is workspace or user, not '${scope}'`, 'policy')
    if ((values.pattern === undefined) === (values.path === undefined))
      throw new UsageError('Give either --path globs or one --pattern', 'policy')
    const days =
      values.expires === undefined ? kit.config.config.approvals.expireMs / 86_400_000 : Number(values.expires)
    if (!(days > 0 && days <= MOST_DAYS))
      throw new UsageError(`--expires wants a number of days, at most ${MOST_DAYS}, not '${values.expires}'`, 'policy')
    const contracts = await allContracts()
    const known = [...idsOf(contracts), ...kit.config.config.tools]
    const id = tool.includes('/') ? tool : `toolwright/${tool}`
    if (id.endsWith('/*') || !known.some(name => isTool(name, id))) throw unknownTool(tool, known)
    const found = contracts.flatMap(contract => contract.tools.filter(({ name }) => `${contract.id}/${name}` === id))[0]
    const now = Date.now()
    const rule: Omit<ApprovalEntry, 'id'> = {
      tool: id,
      ...(values.pattern === undefined
        ? {
            grants: (values.path ?? []).flatMap(path => [
              { action: 'write' as const, path },
              { action: 'read' as const, path },
            ]),
          }
        : { pattern: values.pattern }),
      scope,
      ...(scope === 'workspace' && { workspace: kit.state.key }),
      by: terminal.env['USER'] ?? 'user',
      at: new Date(now).toISOString(),
      expiresAt: new Date(now + days * 86_400_000).toISOString(),
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
  },

  remove: (kit, rest, _values, terminal) => change(kit, rest, terminal, 'removed', (shelf, id) => shelf.remove(id)),
  enable: (kit, rest, _values, terminal) =>
    change(kit, rest, terminal, 'enabled', (shelf, id) => shelf.setEnabled(id, true)),
  disable: (kit, rest, _values, terminal) =>
    change(kit, rest, terminal, 'disabled', (shelf, id) => shelf.setEnabled(id, false)),

  async check(kit, _rest, values, terminal) {
    if (!values.jsonl) throw new UsageError("'policy check' reads lines: add --jsonl", 'policy')
    for await (const line of jsonLines(terminal.stdin))
      if (line.trim() !== '') say(terminal, jsonLine(await judge(kit, line)))
    return EXIT.ok
  },
}

/** Refuses a rule that no call of its tool can match, while its author can still correct it. */
async function ensureMatchable(pattern: string, id: string, schema: AnyTool<never>['input']): Promise<void> {
  // Loaded on demand: only adding a rule needs the expression engine.
  const [{ neverMatches }, { exampleCall }] = await Promise.all([
    import('../../guards/approval/never-matches.ts'),
    import('../../guards/approval/parameter-shape.ts'),
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

type UserApprovals = Toolkit['workspace']['approvals']['user']

async function change(
  kit: Toolkit,
  [id, ...more]: readonly string[],
  terminal: Terminal,
  what: 'removed' | 'enabled' | 'disabled',
  work: (shelf: UserApprovals, id: string) => boolean,
): Promise<number> {
  if (id === undefined || more.length > 0)
    throw new UsageError('Give the id of one rule; policy list shows them', 'policy')
  const rule = approvalsOf(kit).find(approval => approval.id === id)
  if (!rule) throw new ToolError('not_found', `There is no rule '${id}'`, { hint: 'toolwright policy list shows them' })
  const { workspace, user } = kit.workspace.approvals
  work(rule.scope === 'user' ? user : workspace, id)
  kit.workspace.journal.append(
    { type: 'rule', change: what, rule: id, tool: rule.tool, scope: rule.scope, by: terminal.env['USER'] ?? 'user' },
    { durable: true },
  )
  say(terminal, `Rule ${id} ${what}`)
  return EXIT.ok
}

const approvalsOf = ({ workspace: { approvals } }: Toolkit): readonly ApprovalEntry[] => [
  ...approvals.workspace.list(),
  ...approvals.user.list(),
]

/** Returns the decision of policy and remembered answers on one line; an invalid line asks. */
async function judge(kit: Toolkit, line: string): Promise<{ verdict: string; rule: string | null; why: string }> {
  try {
    const { value: request, problem } = parseOnce(line)
    if (problem !== undefined) throw new ToolError('invalid_input', `This line ${problem}`)
    if (typeof request !== 'object' || request === null)
      throw new ToolError('invalid_input', 'A line must be an object')
    if ('command' in request && typeof request.command === 'string') return told(kit.checkCommand(request.command))
    if (!('tool' in request) || typeof request.tool !== 'string')
      throw new ToolError('invalid_input', 'A line needs "command", or "tool" and "input"')
    const session =
      'contract' in request && typeof request.contract === 'string'
        ? kit.session({ contract: await loadContract(request.contract) })
        : kit
    return told(await session.checkCall(request.tool, 'input' in request ? request.input : {}))
  } catch (error) {
    const isRefused = error instanceof ToolError && (error.code === 'outside_workspace' || error.code === 'denied')
    return {
      verdict: isRefused ? 'deny' : 'ask',
      rule: null,
      why: error instanceof Error ? error.message : String(error),
    }
  }
}

const told = ({ verdict, rule, why }: Decision) => ({ verdict, rule: rule ?? null, why })
