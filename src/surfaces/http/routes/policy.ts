import { z } from 'zod'
import { levelsOf } from '../../../guards/policy/hidden-paths.ts'
import { ToolError } from '../../../kernel/error.ts'
import { jsonLine } from '../../../kernel/json-line.ts'
import type { Explained } from '../../../runtime/explain-call.ts'
import type { Caller } from '../../../machine/state/tokens.ts'
import { CONTRACT_IDS, type Toolkit } from '../../../toolkit.ts'
import { answerRule, ensureDenials, storeAnswer, storeDenials } from '../../cli/policy/add.ts'
import { changeRule, storedRule, type RuleChange } from '../../cli/policy/change.ts'
import { policyFacts } from '../../cli/policy/check.ts'
import { ruleOrigins } from '../../cli/policy/rule-origin.ts'
import { answersIn, denialsIn } from '../../cli/policy/stored.ts'
import { ruleUses } from '../rule-uses.ts'
import { defineRoute } from '../route.ts'
import { writerOf } from '../writer.ts'
import { anyObject, inWorkspace } from './in-workspace.ts'

const words = () => z.string().min(1).max(10_000).optional()
const DAY_MS = 86_400_000

const changeSchema = () =>
  z.strictObject({
    rules: z.array(anyObject('A stored rule')),
    warnings: z.array(z.string()),
    diff: z.string().describe('Stored rules before and after, one on each line'),
    dryRun: z.boolean(),
  })

const checkRoutes = [
  defineRoute({
    id: 'readPolicy',
    method: 'GET',
    path: '/v1/policy',
    about: 'Read what is allowed, asked and denied: the defaults, the rules with where they stand, and stored answers',
    scope: 'read',
    query: z.strictObject(inWorkspace),
    answer: z.strictObject({
      defaults: z.record(z.string(), z.string()),
      rules: z.array(anyObject('A rule: its id, what it says, and where it stands')),
      denials: z.array(anyObject('A stored deny rule')),
      answers: z.array(anyObject('A remembered answer')),
      uses: z
        .record(z.string(), z.strictObject({ count: z.int(), last: z.string() }))
        .describe('By the id of a rule: how many of the last 1,000 calls it decided, and when last'),
      byDefault: z.record(z.string(), z.int()).describe('How many of them no rule decided, by verdict'),
    }),
    async run({ workspace }) {
      const { kit, env, config } = workspace()
      await kit.offer()
      const originOf = ruleOrigins(kit, { env }, config)
      const policy = kit.policy()
      return {
        defaults: policy.defaults,
        rules: levelsOf(policy).flatMap(({ rules }) => rules.all.map(({ id }) => originOf(id) ?? { id })),
        denials: await denialsIn(kit),
        answers: answersIn(kit),
        ...ruleUses(kit),
      }
    },
  }),
  defineRoute({
    id: 'checkPolicy',
    method: 'POST',
    path: '/v1/policy/check',
    about: 'Say what would be decided on a command, a path, a host or a call, without doing anything',
    scope: 'read',
    body: z.strictObject({
      ...inWorkspace,
      command: words().describe('A command line'),
      read: words().describe('A path to read'),
      create: words().describe('A path to create'),
      write: words().describe('A path to write'),
      host: words().describe('A host, such as example.com or https://example.com:8443'),
      call: z
        .strictObject({
          contract: z.enum(CONTRACT_IDS).default('toolwright'),
          tool: z.string().min(1).max(200),
          input: z.unknown().default({}),
        })
        .optional()
        .describe('A call of a tool'),
    }),
    answer: anyObject('The verdict, the rule with where it stands, the claims, and what holds when programs start'),
    async run({ body: { workspace: _workspace, call, ...subjects }, workspace, caller }) {
      const place = workspace()
      const { env, config } = place
      const contract = call?.contract ?? 'toolwright'
      const session = await place.sessionFor(caller, { contract })
      const explanation = await session.explain(explainedBy({ ...subjects, call }))
      const facts = policyFacts(place.kit, explanation, { env, config })
      return { ...facts, verdict: explanation.decision.verdict }
    },
  }),
]

interface Subjects {
  readonly command?: string | undefined
  readonly read?: string | undefined
  readonly create?: string | undefined
  readonly write?: string | undefined
  readonly host?: string | undefined
  readonly call?: { readonly tool: string; readonly input?: unknown } | undefined
}

function explainedBy({ command, call, host, read, create, write }: Subjects): Explained {
  const subjects = [command, call, host, read, create, write].filter(each => each !== undefined)
  if (subjects.length !== 1)
    throw new ToolError('invalid_input', 'Give exactly one of command, read, create, write, host and call')
  if (call) return { tool: call.tool, input: call.input ?? {} }
  if (command !== undefined) return { tool: 'run', input: { command } }
  if (host !== undefined) {
    const address = URL.parse(host.includes('://') ? host : `https://${host}`)
    if (!address) throw new ToolError('invalid_input', `'${host}' is no host`)
    return { claim: { action: 'net', resource: address.origin } }
  }
  if (read !== undefined) return { claim: { action: 'read', resource: read } }
  return create !== undefined
    ? { claim: { action: 'create', resource: create } }
    : { claim: { action: 'write', resource: write ?? '' } }
}

const addRoute = defineRoute({
  id: 'addRule',
  method: 'POST',
  path: '/v1/policy/rules',
  about: 'Store a rule: an answer to remember for one tool, or rules that deny. With dryRun only the diff',
  scope: 'approve',
  body: z.strictObject({
    ...inWorkspace,
    deny: z.array(z.string().min(1)).min(1).optional().describe("Permissions to deny, such as 'exec:git push'"),
    tool: words().describe('The tool whose calls are answered with yes'),
    path: z.array(z.string().min(1)).min(1).optional().describe('Globs of the files that it may read and write'),
    pattern: words().describe('A regular expression over its parameters'),
    command: z.array(z.string().min(1)).min(1).optional().describe('First words of the commands that it may run'),
    scope: z.enum(['workspace', 'user']).default('workspace'),
    days: z.number().positive().max(36_500).optional().describe('When a remembered answer ends'),
    why: words(),
    dryRun: z.boolean().default(false),
  }),
  answer: changeSchema(),
  async run({ body, workspace, caller }) {
    const { kit } = workspace()
    const { deny, tool, path, pattern, command, scope, why, dryRun, days } = body
    const by = writerOf(caller)
    if (deny) {
      if (tool !== undefined || path || command || pattern !== undefined || days !== undefined)
        throw new ToolError('invalid_input', 'A deny rule holds for every tool and does not expire: leave out the rest')
      await ensureDenials(deny)
      const denials = dryRun
        ? deny.map(each => ({ deny: each, scope, by }))
        : (await storeDenials(kit, { deny, scope, by, why })).flatMap(({ added, isNew }) => (isNew ? [added] : []))
      return { rules: denials, warnings: [], diff: diffOf([], denials), dryRun }
    }
    if ([path, pattern, command].filter(each => each !== undefined).length !== 1 || (tool === undefined && !command))
      throw new ToolError('invalid_input', 'Give deny, or a tool with one of path, pattern and command')
    const { rule, warnings } = await answerRule(kit, {
      tool: tool ?? 'run',
      scope,
      by,
      days: days ?? kit.config.config.approvals.expireMs / DAY_MS,
      ...(path && { path }),
      ...(pattern !== undefined && { pattern }),
      ...(command && { command }),
      ...(why !== undefined && { why }),
    })
    const rules = [dryRun ? rule : storeAnswer(kit, rule)]
    return { rules, warnings, diff: diffOf([], rules), dryRun }
  },
})

const ruleId = z.strictObject({ id: z.string().min(1).max(100) })

const removeRoute = defineRoute({
  id: 'removeRule',
  method: 'DELETE',
  path: '/v1/policy/rules/{id}',
  about: 'Remove a stored rule. With dryRun only the diff',
  scope: 'approve',
  params: ruleId,
  query: z.strictObject({ ...inWorkspace, dryRun: z.enum(['true', 'false']).default('false') }),
  answer: changeSchema(),
  run: ({ params: { id }, query: { dryRun }, workspace, caller }) =>
    change(workspace().kit, id, { what: 'removed', dryRun: dryRun === 'true', caller }),
})

const switchRoute = (what: 'enabled' | 'disabled', verb: 'enable' | 'disable') =>
  defineRoute({
    id: `${verb}Rule`,
    method: 'POST',
    path: `/v1/policy/rules/{id}/${verb}`,
    about: `Switch a stored rule ${verb === 'enable' ? 'on' : 'off'}. With dryRun only the diff`,
    scope: 'approve',
    params: ruleId,
    body: z.strictObject({ ...inWorkspace, dryRun: z.boolean().default(false) }),
    isBodyOptional: true,
    answer: changeSchema(),
    run: ({ params: { id }, body: { dryRun }, workspace, caller }) =>
      change(workspace().kit, id, { what, dryRun, caller }),
  })

interface WantedChange {
  readonly what: RuleChange
  readonly dryRun: boolean
  readonly caller: Caller
}

async function change(kit: Toolkit, id: string, { what, dryRun, caller }: WantedChange) {
  const before = dryRun ? await storedRule(kit, id) : await changeRule(kit, id, { what, by: writerOf(caller) })
  const after = what === 'removed' ? [] : [{ ...before, enabled: what === 'enabled' }]
  return { rules: after, warnings: [], diff: diffOf([before], after), dryRun }
}

const diffOf = (before: readonly object[], after: readonly object[]): string =>
  [...before.map(rule => `-${jsonLine(rule)}`), ...after.map(rule => `+${jsonLine(rule)}`)].join('\n')

export const policyRoutes = [
  ...checkRoutes,
  addRoute,
  removeRoute,
  switchRoute('enabled', 'enable'),
  switchRoute('disabled', 'disable'),
]
