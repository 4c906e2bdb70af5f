import { renderCard } from '../../../src/guards/approval/card.ts'
import { askOn } from '../../../src/surfaces/cli/ask.ts'
import { dispatch } from '../../../src/surfaces/cli/dispatch.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { rawCharacter } from '../raw-characters.ts'
import { CannotRun, findings, type Findings, type Row, type RunRow } from '../row.ts'
import { makeWorld, type World } from '../world.ts'
import { standInContract } from '../stand-in-contract.ts'
import { commandTool } from './command-tool.ts'

interface TerminalRow extends Row {
  readonly field: string
  readonly value: string
}

/** A line that policy cannot follow gets no `always`. */
const PROMPT = /Approve\? \(y\/n(?:\/always)?\):/g
const ASKS = 'Approve? (y/n'
/** What the line editor itself prints before the line that it edits. */
const EDITOR = '\x1b[1G\x1b[0J'

/** Puts each value wherever a call can carry it, and looks at everything that a person would see of it. */
export const terminalRows = (): RunRow => async row => {
  const { field, value, expect } = row as TerminalRow
  if (expect !== 'inert') throw new CannotRun(`no check stands for '${expect}'`)
  await using world = makeWorld()
  const found = findings()
  await checkPrompt(found, world, field, value)
  checkCard(found, field, value)
  await checkCommandLine(found, world, value)
  await checkJournal(found, world)
  return found.result('shown')
}

/** The question as it comes to a terminal, from a real call that asks. */
async function checkPrompt(found: Findings, world: World, field: string, value: string): Promise<void> {
  const contract = standInContract(commandTool('run', { parameter: field, run: () => ({}) }))
  const kit = await world.open({ contract })
  const terminal = fakeTerminal(world.root, world.env, 'n\n')
  const person = askOn(terminal)
  if (person) kit.questions.attach(person)
  const { outcome } = await kit.run('run', { [field]: value })
  found.demand(!outcome.ok && outcome.error.code === 'rejected', 'it ran without a yes')
  const printed = terminal.err()
  const [prompt = ''] = [...printed.matchAll(PROMPT)].at(-1) ?? []
  const question = printed.slice(printed.indexOf('Tool:'), printed.lastIndexOf(prompt) + prompt.length)
  checkQuestion(found, 'the prompt', question.replace(`${EDITOR}${ASKS}`, ASKS))
}

/** The same with the value in every part of the question. */
function checkCard(found: Findings, field: string, value: string): void {
  const claims = [{ action: 'write' as const, resource: value }]
  const more = { files: [value], why: value, diff: value, proposal: value }
  const card = renderCard({ tool: value, input: { [field]: value, [value]: 1 }, claims, risk: 'dangerous', ...more })
  checkQuestion(found, 'the card', card)
}

function checkQuestion(found: Findings, what: string, question: string): void {
  found.demand(rawCharacter(question) === undefined, `${what} holds ${rawCharacter(question)}`)
  for (const mark of ['Tool:', 'Parameters:', 'Files affected:', 'Risk level:', ASKS]) {
    const lines = question.split('\n').filter(line => line.startsWith(mark))
    found.demand(lines.length === 1, `${what} has ${lines.length} lines that begin with ${mark}`)
  }
}

/** As a path, a content, a tool, a parameter and a command of the command line, for people and for programs. */
async function checkCommandLine(found: Findings, { root, env }: World, value: string): Promise<void> {
  const runs: readonly (readonly [command: string, ...args: string[]])[] = [
    ['call', 'read', JSON.stringify({ path: value })],
    ['call', 'read', JSON.stringify({ path: value }), '--json'],
    ['call', 'write', JSON.stringify({ path: value, content: `${value}\n` }), '--yes'],
    ['call', 'write', JSON.stringify({ path: 'content.txt', content: `${value}\n` }), '--yes'],
    ['call', 'write', JSON.stringify({ path: 'content.txt', content: `${value} more\n` }), '--dry-run'],
    ['call', 'read', JSON.stringify({ path: 'content.txt' })],
    ['call', 'read', JSON.stringify({ path: 'content.txt' }), '--json'],
    ['call', 'read', JSON.stringify({ [value]: value })],
    ['call', value, '{}'],
    ['call', 'read', value],
    ['call', '--contract', value, 'read', '{}'],
    ['policy', 'add', 'write', `--path=${value}`, `--why=${value}`],
    ['policy'],
    [value],
    ['log', value],
  ]
  for (const [command, ...args] of runs) {
    const terminal = fakeTerminal(root, env)
    await dispatch(command, args, terminal)
    const printed = terminal.out() + terminal.err()
    const what = JSON.stringify([command, ...args]).slice(0, 80)
    found.demand(rawCharacter(printed) === undefined, `${what} prints ${rawCharacter(printed)}`)
    if (args.at(-1) === '--json' && value !== '--json')
      found.demand(isOneRecord(printed), `${what} prints more than one record`)
  }
}

/** The journal as it lies on disk and as `log` shows it: one record is one line, and nothing in it is raw. */
async function checkJournal(found: Findings, world: World): Promise<void> {
  const journal = world.journal()
  const records = journal.split('\n').filter(line => line !== '')
  found.demand(rawCharacter(journal) === undefined, `the journal holds ${rawCharacter(journal)}`)
  found.demand(records.length > 5 && records.every(isOneRecord), 'the journal has a line that is no record')
  const told = records.filter(line => JSON.parse(line).type !== 'intent')
  for (const [args, lines] of [
    [['--last', '1000'], told],
    [['--json'], records],
  ] as const) {
    const terminal = fakeTerminal(world.root, world.env)
    await dispatch('log', args, terminal)
    const shown = terminal.out()
    found.demand(rawCharacter(shown) === undefined, `log ${args.join(' ')} prints ${rawCharacter(shown)}`)
    // The files of one call stand below it, indented.
    const heads = shown
      .trimEnd()
      .split('\n')
      .filter(line => !line.startsWith('    '))
    found.demand(heads.length === lines.length, `log ${args.join(' ')} has other lines`)
  }
}

function isOneRecord(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}
