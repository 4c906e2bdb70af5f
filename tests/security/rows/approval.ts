import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { defineTool, type Engines } from '../../../src/engines/engines.ts'
import { compileApproval } from '../../../src/guards/approval/approval.ts'
import type { AnyTool } from '../../../src/kernel/contract.ts'
import { creates, type Claim } from '../../../src/kernel/claim.ts'
import { parseOnce } from '../../../src/kernel/duplicate-key.ts'
import type { ApprovalEntry } from '../../../src/runtime/approval-list.ts'
import { fromEntry } from '../../../src/runtime/approval-list.ts'
import { dispatch } from '../../../src/surfaces/cli/dispatch.ts'
import type { Toolkit } from '../../../src/toolkit.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { findings, type Findings, type Result, type Row, type RunRow } from '../row.ts'
import { standInContract } from '../stand-in-contract.ts'
import { makeWorld, type World } from '../world.ts'
import { protocolRow } from './approval-protocol.ts'

export interface ApprovalRow extends Row {
  readonly rule: RuleOfRow
  readonly call: {
    readonly tool?: string
    readonly args?: unknown
    /** JSON as it came over the wire. */
    readonly args_raw?: string
    readonly scenario?: string
  }
}

interface RuleOfRow {
  readonly tool: string
  readonly pattern: string | null
  readonly expired?: boolean
  readonly expires_at?: string
  readonly now?: string
  readonly session?: string
  readonly workspace?: string
  readonly task?: string
  readonly enabled?: boolean
  readonly disabled?: boolean
  readonly rule_source?: string
  readonly rule_file_changed_since_load?: boolean
}

const HOUR = 3_600_000
const REFUSED = new Set(['rejected', 'denied', 'outside_workspace', 'invalid_input', 'unknown_tool'])

/** Stores each rule and makes the call where no one can be asked: only the rule can approve. */
export const approvalRows = (): RunRow => async row => {
  const approvalRow = row as ApprovalRow
  if (approvalRow.call.scenario !== undefined) return protocolRow(approvalRow, approvalRow.call.scenario)
  const found = findings()
  const got = await throughSession(found, approvalRow)
  await throughCommandLine(found, approvalRow)
  return got(found)
}

async function throughSession(found: Findings, row: ApprovalRow): Promise<(found: Findings) => Result> {
  await using world = makeWorld()
  mkdirSync(join(world.root, 'src'))
  if (row.rule.rule_source !== undefined) plantInRepository(world, row)
  const ran: string[] = []
  const names = new Set([row.rule.tool, row.call.tool ?? ''].filter(name => name !== ''))
  const tools = [...names].map(name => toolOf(name, row, input => ran.push(JSON.stringify(input))))
  const records: object[] = []
  const kit = await world.open({ contract: standInContract(...tools), onRecord: record => records.push(record) })
  if (row.rule.rule_source === undefined) keep(kit, row)

  const input = inputOf(row)
  if (input === undefined) return last => last.result('the arguments are no JSON')
  const { outcome } = await kit.run(row.call.tool ?? '', input)
  if (row.expect === 'allow') {
    found.demand(ran.length === 1, `the rule did not let it run: ${outcome.ok ? '' : outcome.error.message}`)
    found.demand(JSON.stringify(records).includes('"answer":"rule"'), 'the record does not name the rule')
  } else {
    found.demand(ran.length === 0, `it ran with ${ran.join()}`)
    found.demand(!outcome.ok && REFUSED.has(outcome.error.code), 'it was not refused')
  }
  const got = outcome.ok ? 'ran' : outcome.error.code
  return last => last.result(got)
}

/** `policy add` says what is wrong with a rule; the call itself goes the same way with the tool that has its parameters. */
async function throughCommandLine(found: Findings, row: ApprovalRow): Promise<void> {
  const { pattern } = row.rule
  if (pattern === null) return
  await using world = makeWorld()
  world.configure('{"tools":["standin/*"]}')
  const adding = fakeTerminal(world.root, world.env)
  const added = await dispatch('policy', ['add', `standin/${row.rule.tool}`, `--pattern=${pattern}`], adding)
  const refuses = await compileApproval(fromEntry({ ...kept(row), id: 'row' })).then(
    () => false,
    () => true,
  )
  if (row.expect === 'reject-rule') found.demand(refuses, 'the rule is taken')
  if (row.expect === 'allow' || row.expect === 'warn-rule') found.demand(!refuses, 'the rule is refused')
  found.demand((added !== 0) === refuses, 'policy add says otherwise')
  if (row.expect === 'warn-rule') found.demand(adding.err().includes('Warning'), 'policy add does not warn')
  const isWrite = parametersOf(row).join() === 'path,content' && hasNoState(row.rule)
  if (!isWrite || row.rule.tool !== row.call.tool) return
  await dispatch('policy', ['add', 'write', `--pattern=${pattern}`], fakeTerminal(world.root, world.env))
  const calling = fakeTerminal(world.root, world.env)
  const code = await dispatch('call', ['write', row.call.args_raw ?? JSON.stringify(row.call.args)], calling)
  found.demand((code === 0) === (row.expect === 'allow'), `toolwright call ends with ${code}: ${calling.out()}`)
}

const hasNoState = (rule: RuleOfRow): boolean => Object.keys(rule).every(key => key === 'tool' || key === 'pattern')

function inputOf({ call: { args, args_raw } }: ApprovalRow): unknown {
  // Every surface that takes JSON reads it like this.
  return args_raw === undefined ? (args ?? {}) : parseOnce(args_raw).value
}

/** The rule in the store, or put into its file behind the store's back. */
function keep(kit: Toolkit, row: ApprovalRow): void {
  const rule: Omit<ApprovalEntry, 'id'> = { workspace: kit.state.key, ...kept(row) }
  if (!row.rule.rule_file_changed_since_load) return void kit.workspace.approvals.workspace.add(rule)
  const rules = [{ ...rule, id: 'planted' }]
  writeFileSync(kit.state.approvals, JSON.stringify({ version: 1, rules }), { mode: 0o600 })
}

function kept({ rule }: ApprovalRow): Omit<ApprovalEntry, 'id'> {
  const now = Date.now()
  const scope = rule.session === undefined ? (rule.task === undefined ? 'workspace' : 'task') : 'session'
  return {
    tool: `standin/${rule.tool}`,
    pattern: rule.pattern ?? '',
    scope,
    ...(rule.session !== undefined && { session: rule.session }),
    ...(rule.task !== undefined && { task: rule.task }),
    ...(rule.workspace !== undefined && { workspace: rule.workspace }),
    by: 'somebody',
    at: new Date(now - HOUR).toISOString(),
    expiresAt: new Date(now + timeLeft(rule, now)).toISOString(),
    enabled: rule.enabled !== false && rule.disabled !== true,
    made: 'any',
  }
}

/** Times of a row stand to each other as here; what is left of a moment is an hour, so that no clock decides the test. */
function timeLeft(rule: RuleOfRow, now: number): number {
  if (rule.expired) return -1
  if (rule.expires_at === undefined) return HOUR
  const left = Date.parse(rule.expires_at) - (rule.now === undefined ? now : Date.parse(rule.now))
  return left >= 0 ? Math.max(left, HOUR) : left
}

/** Everything a repository could bring along in order to be trusted. */
function plantInRepository({ root }: World, row: ApprovalRow): void {
  const rule = { ...kept(row), id: 'planted' }
  const config = {
    permissions: ['fs:write', 'exec'],
    policy: {
      defaults: { write: 'allow', create: 'allow', exec: 'allow' },
      rules: [{ action: '*', verdict: 'allow' }],
    },
  }
  writeFileSync(join(root, 'toolwright.json'), JSON.stringify(config))
  for (const directory of ['.toolwright', '.config/toolwright']) {
    mkdirSync(join(root, directory), { recursive: true })
    writeFileSync(join(root, directory, 'approvals.json'), JSON.stringify({ version: 1, rules: [rule] }))
  }
}

const KNOWN: ReadonlySet<string> = new Set(['path', 'content', 'command', 'url', 'query', 'file'])

/** The parameters of the row's tool: those that its pattern spells, in that order, and the usual ones that the call gives. */
function parametersOf(row: ApprovalRow): string[] {
  const spelled = [...(row.rule.pattern ?? '').matchAll(/"(\w+)\\?":/g)].map(([, name = '']) => name)
  // A call that has to be let through has no argument that its tool does not take.
  const isTaken = (name: string) => KNOWN.has(name) || row.expect === 'allow'
  const given = Object.keys(Object(row.call.args ?? inputOf(row) ?? {})).filter(isTaken)
  return [...new Set([...spelled, ...given])]
}

function toolOf(name: string, row: ApprovalRow, ran: (input: unknown) => void): AnyTool<Engines> {
  const parameters = parametersOf(row)
  const isText = (parameter: string) => !(row.rule.pattern ?? '').match(new RegExp(`"${parameter}\\\\?":(?!\\\\?")`))
  const given: Readonly<Record<string, unknown>> = Object(inputOf(row))
  const typeOf = (parameter: string) => {
    if (row.expect === 'allow' && typeof given[parameter] !== 'string') return z.unknown()
    return isText(parameter) ? z.string() : z.union([z.number(), z.boolean()])
  }
  return defineTool({
    name,
    version: '1.0.0',
    description: 'Stands for the tool of the row.',
    input: z.strictObject(Object.fromEntries(parameters.map(parameter => [parameter, typeOf(parameter)]))),
    output: z.unknown(),
    effects: ['create', 'exec', 'net'],
    claims: input => claimsOf(input),
    run: input => ran(input),
    examples: [],
  })
}

function claimsOf(input: Readonly<Record<string, unknown>>): Claim[] {
  const path = input['path'] ?? input['file']
  if (path !== undefined) return creates(String(path))
  if (input['url'] !== undefined) return [{ action: 'net', resource: String(input['url']) }]
  return [{ action: 'exec', resource: String(input['command'] ?? JSON.stringify(input)) }]
}
