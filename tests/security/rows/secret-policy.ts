import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { defineTool, type Engines } from '../../../src/engines/engines.ts'
import type { Claim, Effect } from '../../../src/kernel/claim.ts'
import type { AnyTool } from '../../../src/kernel/contract.ts'
import type { Outcome } from '../../../src/kernel/outcome.ts'
import { findings, type Result } from '../row.ts'
import { standInContract } from '../stand-in-contract.ts'
import { makeWorld, type World } from '../world.ts'
import { commandTool } from './command-tool.ts'
import { leaked, printed, vaultWith } from './secret-leaks.ts'
import type { SecretRow, SecretWorld } from './secrets.ts'

type Call = NonNullable<SecretRow['call']>

/** What a tool of a call really did with what it got. */
interface Seen {
  readonly inputs: string[]
  readonly outputs: string[]
}

const EVERYTHING = ['fs:read', 'fs:write', 'exec', 'net']

/** Makes the call with the tool that has its effects: a published one, or one that stands for a later part's. */
export async function policyRow(row: SecretRow, call: Call, { values, guide }: SecretWorld): Promise<Result> {
  const found = findings()
  const named = [...JSON.stringify(call.args).matchAll(/\$ENV\.(\w+)/g)].map(([, key = '']) => key)
  const wanted = new Map(named.map(key => [key, values.get(key) ?? '']))

  const refused = await attempt(call, values, EVERYTHING)
  if (row.expect === 'policy') {
    found.demand(!refused.outcome.ok && refused.outcome.error.code === 'rejected', 'nobody was asked')
    // What a person would be shown is made with the text as it was given.
    const reached = [...refused.seen.inputs, refused.files, refused.journal]
    found.demand(leaked(values, reached) === undefined, 'it ran without a grant')
    found.demand(refused.files === '' && refused.seen.outputs.length === 0, 'it took effect without a grant')
  }
  const granted = await attempt(call, values, [...EVERYTHING, 'secret:*'])
  const { outcome, seen, files, journal } = granted
  found.demand(outcome.ok, outcome.ok ? '' : `it failed: ${outcome.error.message}`)
  found.demand(leaked(values, outcome) === undefined, `the answer shows ${leaked(values, outcome)}`)
  found.demand(leaked(values, journal) === undefined, `the journal shows ${leaked(values, journal)}`)
  const reached = [...wanted.values()].every(value =>
    [...seen.inputs, ...seen.outputs, files].some(text => text.includes(value)),
  )
  if (row.expect === 'policy') found.demand(reached, 'the secret did not arrive with the grant')
  if (row.expect === 'redacted') {
    found.demand(printed(values, seen.outputs.join('\n')) !== undefined, 'the tool printed no secret')
    const answer = JSON.stringify(outcome)
    found.demand(printed(values, answer) === undefined, `the answer shows ${printed(values, answer)} encoded`)
  }
  if (row.expect === 'not-injected') found.demand(leaked(values, seen.inputs) === undefined, 'the value arrived')
  if (row.expect === 'safe-quoting') {
    found.demand(reached, `the command printed ${seen.outputs.join()}`)
    found.demand(leaked(values, seen.inputs) === undefined, 'the value is in the text of the command')
  }
  if (row.why?.includes('documented')) found.demand(isNamed(row.why, guide), 'docs/secrets.md does not say so')
  return found.result(outcome.ok ? 'ran' : outcome.error.code)
}

async function attempt(
  call: Call,
  values: ReadonlyMap<string, string>,
  permissions: readonly string[],
): Promise<{ outcome: Outcome; seen: Seen; files: string; journal: string }> {
  await using world = makeWorld()
  const seen: Seen = { inputs: [], outputs: [] }
  const isWrite = kindOf(call) === 'write' && 'file' in call.args && 'content' in call.args
  const contract = isWrite ? 'sage' : standInContract(standIn(call, values, seen))
  const kit = await world.open({ contract, permissions, secrets: vaultWith(values) })
  const { outcome } = await kit.run(isWrite ? 'Write' : call.tool, call.args)
  return { outcome, seen, files: isWrite ? written(world, String(call.args['file'])) : '', journal: world.state() }
}

const written = ({ root }: World, file: string): string =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''

function kindOf({ tool, args }: Call): Effect {
  if ('command' in args || /bash|shell|terminal|exec/i.test(tool)) return 'exec'
  if ('url' in args || /web|fetch|http|browse|wiki|docs/i.test(tool)) return 'net'
  if ('content' in args || /write|edit|create|append|patch/i.test(tool)) return 'write'
  return 'read'
}

function standIn(call: Call, values: ReadonlyMap<string, string>, seen: Seen): AnyTool<Engines> {
  const kind = kindOf(call)
  if (kind === 'exec')
    return commandTool(call.tool, {
      run(command, { secrets = new Map() }) {
        seen.inputs.push(command)
        const stdout = bash(command, secrets, values)
        seen.outputs.push(stdout)
        return { stdout }
      },
    })
  const places: Partial<Record<Effect, Claim>> = {
    net: { action: 'net', resource: 'https://somewhere.test' },
    read: { action: 'read', resource: '.' },
    write: { action: 'write', resource: 'somewhere.txt' },
  }
  return defineTool({
    name: call.tool,
    version: '1.0.0',
    description: `Stands for ${call.tool}.`,
    input: z.record(z.string(), z.unknown()),
    output: z.unknown(),
    effects: [kind],
    claims: () => [places[kind]].filter(place => place !== undefined),
    run(input) {
      seen.inputs.push(
        ...Object.values(input).map(value => (typeof value === 'string' ? value : JSON.stringify(value))),
      )
      return { asked: input }
    },
    examples: [],
  })
}

/** Runs a command with its secrets in the environment, each placeholder a reference that no quote in a value can leave. */
function bash(command: string, secrets: ReadonlyMap<string, string>, values: ReadonlyMap<string, string>): string {
  let quote = ''
  const text = command.replaceAll(/\\.|['"]|\$ENV\.(\w+)/gs, (found: string, key: string | undefined) => {
    if (key === undefined) {
      if (found === quote) quote = ''
      else if (quote === '' && (found === "'" || found === '"')) quote = found
      return found
    }
    if (quote === "'") return `'"$SECRET_${key}"'`
    return quote === '"' ? `$\{SECRET_${key}}` : `"$SECRET_${key}"`
  })
  const env = Object.fromEntries([...secrets].map(([key, value]) => [`SECRET_${key}`, value]))
  const all = { ...Object.fromEntries(values), PATH: process.env['PATH'] ?? '', ...env }
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', text], {
    env: all,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return status === 0 && stderr === '' ? stdout : `failed: ${status} ${stderr}`
}

/** Reports whether the guide has a word of what the row says is documented. */
const isNamed = (why: string, guide: string): boolean =>
  (why.match(/[a-z]{5,}/gi) ?? []).some(
    word => !/^(documented|oracle)$/i.test(word) && guide.toLowerCase().includes(word.toLowerCase()),
  )
