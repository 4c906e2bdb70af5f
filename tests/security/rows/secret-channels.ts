import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { z } from 'zod'
import { renderCard } from '../../../src/guards/approval/card.ts'
import { createRedactor } from '../../../src/guards/secrets/redact.ts'
import { ToolError } from '../../../src/kernel/error.ts'
import { dispatch } from '../../../src/surfaces/cli/dispatch.ts'
import { createWriteTool } from '../../../src/surfaces/library/sage/tools.ts'
import { defineTool as defineSageTool } from '../../../src/surfaces/library/sage/define-tool.ts'
import type { Question } from '../../../src/runtime/questions.ts'
import type { Toolkit, ToolkitOptions } from '../../../src/toolkit.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { CannotRun, findings, type Findings, type Result } from '../row.ts'
import { standInContract } from '../stand-in-contract.ts'
import { makeWorld, type World } from '../world.ts'
import { leaked, probe, vaultWith } from './secret-leaks.ts'
import { commandTool } from './command-tool.ts'
import type { SecretRow, SecretWorld } from './secrets.ts'

/** One secret on its way through one channel. */
interface Way {
  readonly found: Findings
  readonly world: World
  readonly values: ReadonlyMap<string, string>
  readonly value: string
  /** The text that a call names it by. */
  readonly name: string
  clean(what: string, ...shown: readonly unknown[]): void
}

type Check = (way: Way) => Promise<void> | void

/** What a channel's name says that it carries; the channels of later parts carry what `structures` holds. */
const CHANNELS: readonly (readonly [RegExp, Check])[] = [
  [/error|exception|cause|stack|crash|core/i, throughErrors],
  [/prompt|approval|card|question/i, throughQuestion],
  [/dry|plan|preview/i, throughDryRun],
  [/diff|edit|patch|undo/i, throughDiffs],
  [/file ?name|path/i, throughFileName],
  [/cli|--json|terminal|console|human/i, throughCommandLine],
  [/log|transcript|journal|audit|record|event|metric|span|trace/i, throughLogger],
  [/std(out|err)|process|argv|ps\b|command|env|pty|stream|chunk/i, throughCommand],
  [/cache|ref|payload|large|trunc|preview|tmp|temp/i, throughLargeAnswer],
]

/** Everything that a tool answers goes through the first two; what the channel is about, through the others. */
export async function channelRow(row: SecretRow, channel: string, { values }: SecretWorld): Promise<Result> {
  const found = findings()
  const value = values.get(row.secret ?? '') ?? ''
  if (value === '' || row.expect !== 'redacted')
    throw new CannotRun(`no check stands for '${row.expect}' of '${row.secret}'`)
  const named = CHANNELS.filter(([words]) => words.test(channel)).map(([, check]) => check)
  for (const check of [structures, throughData, ...named]) {
    await using world = makeWorld()
    const clean = (what: string, ...shown: readonly unknown[]) =>
      found.demand(leaked(values, ...shown) === undefined, `${what} shows ${leaked(values, ...shown)}`)
    await check({ found, world, values, value, name: `$ENV.${row.secret}`, clean })
    clean('the state', world.state())
  }
  return found.result(`${named.length + 2} ways`)
}

const granted = ({ world, values }: Way, options: ToolkitOptions = {}): Promise<Toolkit> =>
  world.open({ permissions: ['fs:read', 'fs:write', 'exec', 'secret:*'], secrets: vaultWith(values), ...options })

/** The shapes in which later channels carry text: messages, requests and their redirects, documents, dumps, escapes. */
function structures({ found, values, value, clean }: Way): void {
  const redactor = createRedactor(values)
  const shapes: readonly unknown[] = [
    { structuredContent: { deep: [{ [value]: value }] }, content: [{ type: 'text', text: `x${value}x` }] },
    { method: 'notifications/message', params: { level: 'info', data: { line: value } } },
    {
      status: 302,
      headers: [['location', `https://a.test/?t=${encodeURIComponent(value)}`]],
      body: Buffer.from(value),
    },
    { id: 'doc-1', document: `… ${value} …`, metadata: new Map([['source', value]]), tags: new Set([value]) },
    `\u001b]0;${value}\u0007`,
    new Error(value, { cause: new Error(`inner ${value}`) }),
    { env: { TOKEN: value }, argv: ['node', `--token=${value}`], heap: new TextEncoder().encode(value) },
    `git commit -m "${value}"\nAuthorization: Basic ${Buffer.from(`user:${value}`).toString('base64')}`,
  ]
  for (const shape of shapes) {
    const shown = typeof shape === 'string' ? redactor.text(shape) : redactor.value(shape)
    found.demand(inspect(shown, { depth: 20 }).includes('redacted:'), `nothing is redacted in ${inspect(shape)}`)
    clean('a structure', shown, bytesIn(shown))
  }
  const stream = redactor.stream()
  const half = Math.floor(value.length / 2)
  const pieces = ['a ', value.slice(0, half), value.slice(half), ' b'].map(piece => stream.push(Buffer.from(piece)))
  clean('a stream', Buffer.concat([...pieces, stream.end()]).toString())
}

/** Bytes are not text to an inspector. */
function bytesIn(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  return typeof value === 'object' && value !== null ? Object.values(value).map(bytesIn).join(' ') : ''
}

async function throughData(way: Way): Promise<void> {
  const got: string[] = []
  const contract = standInContract(
    probe(text => {
      got.push(text)
      return {
        text,
        deep: [{ [text]: text }],
        json: JSON.stringify({ text }),
        base64: Buffer.from(text).toString('base64'),
      }
    }),
  )
  const kit = await granted(way, { contract })
  const { outcome, answer } = await kit.run('probe', { text: way.name })
  way.found.demand(got[0] === way.value, 'the tool did not get the value')
  way.found.demand(JSON.stringify(answer).includes('[redacted:'), 'the answer has no marker')
  way.found.demand(!JSON.stringify(answer).includes(Buffer.from(way.value).toString('base64')), 'base64 of it shows')
  way.clean('the answer', outcome, answer)
}

async function throughErrors(way: Way): Promise<void> {
  const failures: readonly ((text: string) => unknown)[] = [
    text =>
      new ToolError('io', `failed with ${text}`, { hint: text, details: { text, [text]: 1 }, cause: new Error(text) }),
    text => new Error(`crashed with ${text}`, { cause: { text } }),
    text => text,
    text => ({ message: text }),
  ]
  for (const failure of failures) {
    const contract = standInContract(
      probe(text => {
        throw failure(text)
      }),
    )
    const kit = await granted(way, { contract })
    const { outcome, answer } = await kit.run('probe', { text: way.name })
    way.found.demand(!outcome.ok, 'it did not fail')
    way.clean('the error', outcome, answer, outcome.ok ? '' : [outcome.error.stack, outcome.error.cause])
  }
}

/** What a person is asked with, and what later surfaces get as the open question. */
async function throughQuestion(way: Way): Promise<void> {
  const asked: Question[] = []
  const kit = await way.world.open({
    secrets: vaultWith(way.values),
    approve(question) {
      asked.push(question)
      return { answer: 'yes', by: 'somebody' }
    },
  })
  for (const content of [way.name, `${way.name} again`])
    await kit.run('Write', { file: 'a.txt', content }, { contract: 'sage' })
  way.found.demand(asked.length === 2, `${asked.length} questions were asked`)
  way.found.demand(readFileSync(join(way.world.root, 'a.txt'), 'utf8').includes(way.value), 'it was not written')
  for (const { card } of asked) {
    const diff = card.changes.map(change => change.diff()).join('')
    way.clean('the question', card, diff, renderCard({ ...card, files: card.changes.map(({ path }) => path), diff }))
  }
}

async function throughDryRun(way: Way): Promise<void> {
  const kit = await granted(way)
  const input = { path: 'a.txt', content: `token ${way.name}\n`, expect: 'absent' }
  const { outcome, answer } = await kit.run('write', input, { dryRun: true })
  way.found.demand(
    outcome.ok && outcome.meta.diff?.includes('[redacted:') === true,
    'the diff does not show the change',
  )
  way.clean('the dry run', outcome, answer)
}

async function throughDiffs(way: Way): Promise<void> {
  const kit = await granted(way)
  writeFileSync(join(way.world.root, 'a.txt'), 'one\ntwo\n')
  const edits = [{ old: 'one', new: way.name }]
  const edit = await kit.run('edit', { path: 'a.txt', edits })
  way.found.demand(readFileSync(join(way.world.root, 'a.txt'), 'utf8').startsWith(way.value), 'it was not written')
  const patch = `@@ -1,2 +1,2 @@\n ${way.name}\n-two\n+three\n`
  const patched = await kit.run('Edit', { file: 'a.txt', patch }, { contract: 'sage' })
  way.found.demand(
    patched.outcome.ok && JSON.stringify(patched.answer).includes('[redacted:'),
    'the patch shows no diff',
  )
  const read = await kit.run('read', { path: 'a.txt' })
  const undone = await kit.run('undo', {})
  for (const { outcome, answer } of [edit, patched, read, undone]) way.clean('a diff', outcome, answer)
}

/** A name is claimed, asked for and recorded as it was given, so that no secret can become one. */
async function throughFileName(way: Way): Promise<void> {
  const kit = await granted(way)
  mkdirSync(join(way.world.root, 'dir'))
  for (const path of [`${way.name}.txt`, `dir/${way.name}`, `${way.name}/x`]) {
    const { outcome, answer } = await kit.run('write', { path, content: 'x\n', expect: 'absent' })
    way.clean('the answer', outcome, answer)
  }
  way.clean('a name', readdirSync(way.world.root, { recursive: true }).join('\n'))
}

async function throughCommandLine(way: Way): Promise<void> {
  const config = join(way.world.home, 'config.json')
  writeFileSync(config, JSON.stringify({ secrets: { env: [...way.values.keys()] } }))
  const env = { ...way.world.env, ...Object.fromEntries(way.values) }
  const input = JSON.stringify({ path: 'a.txt', content: `x ${way.name}\n` })
  const runs: readonly (readonly [string, ...string[]])[] = [
    ['call', 'write', input, '--dry-run', '--yes'],
    ['call', 'write', input, '--yes', '--json'],
    ['call', 'read', '{"path":"a.txt"}', '--json'],
    ['call', 'read', '{"path":"a.txt"}'],
    ['call', 'read', JSON.stringify({ path: `missing ${way.value}` })],
    ['log', '--json'],
    ['log'],
  ]
  for (const [command, ...args] of runs) {
    const terminal = fakeTerminal(way.world.root, env)
    await dispatch(command, command === 'call' ? [...args, '--config', config] : args, terminal)
    way.clean(`toolwright ${command} ${args.join(' ')}`, terminal.out(), terminal.err())
  }
  way.found.demand(readFileSync(join(way.world.root, 'a.txt'), 'utf8').includes(way.value), 'it was not written')
}

/** The transcript that a host gets, and the journal that stays. */
async function throughLogger(way: Way): Promise<void> {
  const events: unknown[] = []
  const ctx = {
    cwd: way.world.root,
    permissions: ['fs:write'],
    secretProvider: vaultWith(way.values),
    logger: (event: unknown) => void events.push(event),
  }
  const was = { state: process.env['TOOLWRIGHT_STATE'], config: process.env['TOOLWRIGHT_CONFIG_HOME'] }
  const use = (name: string, to: string | undefined) =>
    to === undefined ? delete process.env[name] : (process.env[name] = to)
  use('TOOLWRIGHT_STATE', way.world.env['TOOLWRIGHT_STATE'])
  use('TOOLWRIGHT_CONFIG_HOME', way.world.env['TOOLWRIGHT_CONFIG_HOME'])
  try {
    const written = await createWriteTool().execute({ file: 'a.txt', content: way.name }, ctx)
    const echo = defineSageTool({
      name: 'echo',
      description: 'Answers its text.',
      parameters: z.object({ text: z.string() }),
      implementation: async ({ text }) => ({ text }),
    })
    const answer = await echo.execute({ text: way.name }, ctx)
    way.found.demand(written.ok && answer.ok, 'the tools failed')
    way.clean('the result', written, answer)
  } finally {
    use('TOOLWRIGHT_STATE', was.state)
    use('TOOLWRIGHT_CONFIG_HOME', was.config)
  }
  way.found.demand(events.length === 2, `${events.length} events came`)
  way.clean('the transcript', events)
}

/** The text of a command, and what it prints. */
async function throughCommand(way: Way): Promise<void> {
  const commands: string[] = []
  const tool = commandTool('bash', {
    run(command, { secrets }) {
      commands.push(command)
      const value = [...(secrets?.values() ?? [])].join()
      return { stdout: value, stderr: `bash: ${value}: command not found`, exitCode: 127 }
    },
  })
  const kit = await granted(way, { contract: standInContract(tool) })
  const { outcome, answer } = await kit.run('bash', { command: `run "${way.name}"` })
  way.found.demand(JSON.stringify(answer).includes('[redacted:'), 'the command did not get the value')
  way.clean('the command', commands)
  way.clean('what it printed', outcome, answer)
}

/** An answer that is cut leaves its whole beside the journal. */
async function throughLargeAnswer(way: Way): Promise<void> {
  const contract = standInContract(
    probe(text => ({ text: `${'x\n'.repeat(300_000)}${text}\n${'y\n'.repeat(300_000)}` })),
  )
  const kit = await granted(way, { contract })
  const { outcome, answer } = await kit.run('probe', { text: way.name })
  way.found.demand(outcome.meta.ref !== undefined, 'the answer was not cut')
  way.clean('the answer', outcome, answer)
}
