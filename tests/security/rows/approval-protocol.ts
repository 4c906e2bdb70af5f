import type { Toolkit } from '../../../src/toolkit.ts'
import { decide } from '../../../src/guards/policy/decide.ts'
import { makePolicy } from '../../../src/guards/policy/policy.ts'
import type { Answer, Answerer } from '../../../src/runtime/questions.ts'
import { findings, type Findings, type Result } from '../row.ts'
import { standInContract } from '../stand-in-contract.ts'
import { makeWorld } from '../world.ts'
import type { ApprovalRow } from './approval.ts'
import { commandTool } from './command-tool.ts'
import { loadCommandParser } from '../../../src/guards/policy/command-parser.ts'

await loadCommandParser()

/** A session with two tools that only note what they ran. */
interface Rig {
  readonly found: Findings
  readonly kit: Toolkit
  readonly ran: string[]
}

type Scenario = (rig: Rig) => Promise<void>

const YES: Answer = { answer: 'yes', by: 'somebody' }
const NO: Answer = { answer: 'no', by: 'somebody' }

/** What a scenario's words are about; one that no line knows is held against all of them. */
const SCENARIOS: readonly (readonly [RegExp, Scenario])[] = [
  [/mutat|chang|tamper|frozen/i, mutated],
  [/swap|concurrent|answers? .*order|wrong (id|request)/i, swapped],
  [/throw|fail|crash|reject/i, throws],
  [/child|sub-?agent|inherit|delegat/i, inherits],
  [/tool A|tool B|other tool|another tool/i, reused],
  [/timeout|time out|never answer|no answer|cancel|abort|disconnect|closes?\b|EOF/i, unanswered],
  [/twice|replay|again|once/i, twice],
  [/garbage|unknown answer|invalid answer|empty answer|malformed|truthy/i, garbage],
]

export async function protocolRow(row: ApprovalRow, scenario: string): Promise<Result> {
  const named = SCENARIOS.filter(([words]) => words.test(scenario)).map(([, work]) => work)
  const found = findings()
  for (const work of named.length > 0 ? named : SCENARIOS.map(([, each]) => each)) {
    await using world = makeWorld()
    const ran: string[] = []
    const tool = (name: string) => commandTool(name, { run: command => ran.push(`${name}: ${command}`) })
    const kit = await world.open({ contract: standInContract(tool(row.rule.tool), tool('B')) })
    await work({
      found,
      kit: { ...kit, run: (name, input, more) => kit.run(name === 'A' ? row.rule.tool : name, input, more) },
      ran,
    })
  }
  return found.result(named.length > 0 ? 'held' : 'held in every scenario')
}

const refused = async (rig: Rig, tool: string, command: string, more = {}): Promise<void> => {
  const { outcome } = await rig.kit.run(tool, { command }, more)
  const code = outcome.ok ? 'ok' : outcome.error.code
  rig.found.demand(code === 'rejected' || (code === 'cancelled' && 'signal' in more), `${tool} '${command}': ${code}`)
}

/** What was shown is what runs, even if the arguments change meanwhile. */
async function mutated({ found, kit, ran }: Rig): Promise<void> {
  const args = { command: 'shown' }
  let shown = ''
  kit.questions.attach(({ card }) => {
    shown = JSON.stringify(card.input)
    args.command = 'mutated by the caller'
    const isFrozen = !Reflect.set(Object(card.input), 'command', 'mutated by the approver')
    found.demand(isFrozen && Object.isFrozen(card.input), 'the approver can change the arguments')
    return YES
  })
  await kit.run('A', args)
  found.demand(shown === '{"command":"shown"}' && ran.length === 1, 'something else was shown')
  found.demand(
    ran.every(line => line.endsWith(': shown')),
    `it ran ${ran.join()}`,
  )
}

/** An answer belongs to one question by its id, in whatever order answers come. */
async function swapped({ found, kit, ran }: Rig): Promise<void> {
  kit.questions.attach(() => new Promise(() => {}))
  const calls = [kit.run('A', { command: 'first' }), kit.run('A', { command: 'second' })]
  while (kit.questions.pending().length < 2) await new Promise(done => setImmediate(done))
  const idOf = (command: string) =>
    kit.questions.pending().find(({ card }) => JSON.stringify(card.input).includes(command))?.id ?? ''
  const [first, second] = [idOf('first'), idOf('second')]
  found.demand(!kit.questions.answer('nothing', YES), 'an answer to no question is taken')
  found.demand(kit.questions.answer(second, YES) && kit.questions.answer(first, NO), 'an answer is not taken')
  found.demand(!kit.questions.answer(first, YES), 'a question is answered twice')
  await Promise.all(calls)
  found.demand(ran.length === 1 && ran[0]?.endsWith(': second') === true, `it ran ${ran.join()}`)
}

async function throws(rig: Rig): Promise<void> {
  const failing: readonly Answerer[] = [
    () => {
      throw new Error('the approver is broken')
    },
    () => Promise.reject(new Error('the approver is broken')),
  ]
  for (const answerer of failing) {
    const leave = rig.kit.questions.attach(answerer)
    await refused(rig, 'A', 'x')
    leave()
  }
  rig.found.demand(rig.ran.length === 0, 'it ran')
}

/** Neither the answers of a parent nor more permission than it has reach a child. */
async function inherits(rig: Rig): Promise<void> {
  const { found, kit, ran } = rig
  const leave = kit.questions.attach(() => ({ answer: 'always', by: 'somebody', scope: 'session' }))
  await kit.run('A', { command: 'git status' })
  leave()
  await kit.run('A', { command: 'git status' })
  found.demand(ran.length === 2, 'the parent itself has lost its rule')
  const tools = standInContract(...kit.tools())
  const child = kit.session({ contract: tools })
  await refused({ ...rig, kit: { ...kit, run: child.run } }, kit.tools()[0]?.name ?? '', 'git status')
  const parent = makePolicy({ permissions: ['exec:git status'] })
  const wider = makePolicy({ permissions: ['exec'], within: parent })
  const claim = (resource: string) => [{ action: 'exec' as const, resource }]
  found.demand(decide(wider, claim('git status')).verdict === 'allow', 'the child has less than both')
  found.demand(decide(wider, claim('curl evil')).verdict === 'ask', 'the child has more than its parent')
  found.demand(ran.length === 2, `it ran ${ran.join()}`)
}

async function reused(rig: Rig): Promise<void> {
  const leave = rig.kit.questions.attach(() => ({ answer: 'always', by: 'somebody' }))
  await rig.kit.run('A', { command: 'npm test' })
  leave()
  await refused(rig, 'B', 'npm test')
  rig.found.demand(rig.ran.length === 1, `it ran ${rig.ran.join()}`)
}

async function unanswered(rig: Rig): Promise<void> {
  await refused(rig, 'A', 'nobody is there')
  const controller = new AbortController()
  rig.kit.questions.attach(() => new Promise(() => setImmediate(() => controller.abort())))
  await refused(rig, 'A', 'given up', { signal: controller.signal })
  rig.found.demand(rig.kit.questions.pending().length === 0, 'the question is still open')
  rig.found.demand(rig.ran.length === 0, 'it ran')
}

/** A yes is for one call. */
async function twice(rig: Rig): Promise<void> {
  const leave = rig.kit.questions.attach(() => YES)
  await rig.kit.run('A', { command: 'x' })
  leave()
  await refused(rig, 'A', 'x')
  rig.found.demand(rig.ran.length === 1, `it ran ${rig.ran.length} times`)
}

async function garbage(rig: Rig): Promise<void> {
  for (const answer of ['', 'YES', 'sure', true, 1, null, undefined]) {
    const leave = rig.kit.questions.attach(() => ({ answer, by: 'somebody' }) as unknown as Answer)
    await refused(rig, 'A', 'x')
    leave()
  }
  for (const answer of [undefined, null, true, 'yes']) {
    const leave = rig.kit.questions.attach(() => answer as unknown as Answer)
    await refused(rig, 'A', 'x')
    leave()
  }
  rig.found.demand(rig.ran.length === 0, 'it ran')
}
