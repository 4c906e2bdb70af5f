import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { defineTool, type Engines } from '../../../src/engines/engines.ts'
import { compileApproval } from '../../../src/guards/approval/approval.ts'
import type { AnyTool } from '../../../src/kernel/contract.ts'
import { creates, type Claim } from '../../../src/kernel/claim.ts'
import { parseOnce } from '../../../src/kernel/duplicate-key.ts'
import { fromEntry } from '../../../src/runtime/approval-list.ts'
import type { Answerer } from '../../../src/runtime/questions.ts'
import { openToolkit } from '../../../src/toolkit.ts'
import { dispatch } from '../../../src/surfaces/cli/dispatch.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { findings, type Findings, type Result, type Row, type RunRow } from '../row.ts'
import { standInContract } from '../stand-in-contract.ts'
import { makeWorld, type World } from '../world.ts'
import { protocolRow } from './approval-protocol.ts'
import { damageOf } from './approval-damage.ts'
import { EFFECTS, entryOf, isPlanted, standingOf, store, type RuleOfRow, type Standing } from './approval-state.ts'

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

const REFUSED = new Set(['rejected', 'denied', 'outside_workspace', 'invalid_input', 'not_found', 'unknown_tool'])

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
  const planted = isPlanted(row.rule)
  if (planted) plantInRepository(world, row)
  const standing = standingOf(row.rule, 'here')
  world.configure(JSON.stringify(standing.config))
  const ran: string[] = []
  const names = new Set([row.rule.tool, row.call.tool ?? ''].filter(name => name !== ''))
  const tools = [...names].map(name => toolOf(name, row, standing, input => ran.push(JSON.stringify(input))))
  const records: object[] = []
  const options = { contract: standInContract(...tools), onRecord: (record: object) => records.push(record) }
  await using another = makeWorld()
  const first = standing.isElsewhere
    ? await openToolkit({ ...options, root: world.root, env: another.env })
    : await world.open(options)
  const plant = (all: object) => writeFileSync(first.state.approvals, JSON.stringify(all), { mode: 0o600 })
  if (!planted && !standing.isUsedUp) store(standingOf(row.rule, first.state.key), first, plant)
  const damage = damageOf(row.rule)
  if (damage || standing.isElsewhere) await first.close()
  damage?.({ approvals: first.state.approvals, root: world.root })
  const again = damage || standing.isElsewhere ? await orError(() => world.open(options)) : first
  if (again instanceof Error) {
    found.demand(wordsOf(row).join() !== 'allow', `the workspace does not open: ${again.message}`)
    return last => last.result('the workspace does not open')
  }
  const kit = again

  const input = inputOf(row)
  if (input === undefined) return last => last.result('the arguments are no JSON')
  const { tool = '' } = row.call
  if (standing.isUsedUp) await kit.run(tool, input, { approve: () => ({ answer: 'yes', by: 'somebody' }) })
  const before = ran.length
  const { outcome } = await kit.run(tool, input)
  const words = wordsOf(row)
  if (ran.length > before) {
    found.demand(words.includes('allow'), `it ran with ${ran.join()}`)
    found.demand(JSON.stringify(records).includes('"answer":"rule"'), 'the record does not name the rule')
  } else {
    found.demand(words.join() !== 'allow', `the rule did not let it run: ${outcome.ok ? '' : outcome.error.message}`)
    found.demand(!outcome.ok && REFUSED.has(outcome.error.code), 'it was not refused')
  }
  if (words.join() === 'warn-rule') await demandWarning(found, row, cards => kit.run(tool, input, { approve: cards }))
  const got = outcome.ok ? 'ran' : outcome.error.code
  return last => last.result(got)
}

const orError = <T>(work: () => Promise<T>): Promise<T | Error> =>
  work().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))

/** The outcomes that a row accepts. */
const wordsOf = ({ expect, ok }: ApprovalRow): readonly string[] => ok ?? [expect]

/** A person who is asked about a call that a doubtful rule does not cover sees what is doubtful. */
async function demandWarning(
  found: Findings,
  row: ApprovalRow,
  call: (approve: Answerer) => Promise<unknown>,
): Promise<void> {
  const compiled = await compileApproval(fromEntry({ ...entryOf(row.rule), id: 'row' })).catch(() => undefined)
  if (!compiled || !('warnings' in compiled.compiled) || row.rule.tool !== row.call.tool) return
  const seen: string[] = []
  await call(({ card }) => {
    seen.push(card.why)
    return { answer: 'no', by: 'somebody' }
  })
  for (const warning of compiled.compiled.warnings)
    found.demand(seen.length === 0 || seen.join().includes(warning), `the card does not say that ${warning}`)
}

/** `policy add` says what is wrong with a rule; the call itself goes the same way with the tool that has its parameters. */
async function throughCommandLine(found: Findings, row: ApprovalRow): Promise<void> {
  const { pattern } = row.rule
  if (pattern === null) return
  await using world = makeWorld()
  world.configure('{"tools":["standin/*"]}')
  const adding = fakeTerminal(world.root, world.env)
  const added = await dispatch('policy', ['add', `standin/${row.rule.tool}`, `--pattern=${pattern}`], adding)
  const refuses = await compileApproval(fromEntry({ ...entryOf(row.rule), id: 'row' })).then(
    () => false,
    () => true,
  )
  const words = wordsOf(row)
  if (refuses)
    found.demand(
      words.some(word => word === 'reject-rule' || word === 'deny'),
      'the rule is refused',
    )
  else found.demand(words.join() !== 'reject-rule', 'the rule is taken')
  found.demand((added !== 0) === refuses, 'policy add says otherwise')
  if (row.expect === 'warn-rule' && !refuses) found.demand(adding.err().includes('Warning'), 'policy add does not warn')
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

/** Everything a repository could bring along in order to be trusted. */
function plantInRepository({ root }: World, row: ApprovalRow): void {
  const rule = { ...entryOf(row.rule), id: 'planted' }
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

function toolOf(
  name: string,
  row: ApprovalRow,
  { version }: Standing,
  ran: (input: unknown) => void,
): AnyTool<Engines> {
  const parameters = parametersOf(row)
  const isText = (parameter: string) => !(row.rule.pattern ?? '').match(new RegExp(`"${parameter}\\\\?":(?!\\\\?")`))
  const given: Readonly<Record<string, unknown>> = Object(inputOf(row))
  const typeOf = (parameter: string) => {
    if (row.expect === 'allow' && typeof given[parameter] !== 'string') return z.unknown()
    return isText(parameter) ? z.string() : z.union([z.number(), z.boolean()])
  }
  return defineTool({
    name,
    version,
    description: 'Stands for the tool of the row.',
    input: z.strictObject(Object.fromEntries(parameters.map(parameter => [parameter, typeOf(parameter)]))),
    output: z.unknown(),
    effects: EFFECTS,
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
