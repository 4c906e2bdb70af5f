import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../../../src/kernel/outcome.ts'
import type { Toolkit, ToolkitOptions } from '../../../src/toolkit.ts'
import { findings, type Findings, type Result } from '../row.ts'
import { standInContract } from '../stand-in-contract.ts'
import { makeWorld, type World } from '../world.ts'
import { leaked, probe, vaultWith } from './secret-leaks.ts'
import type { SecretRow, SecretWorld } from './secrets.ts'

/** Sends the text of a row as an argument, with the secrets handed over and with the secrets configured. */
export async function injectionRow(row: SecretRow, input: string, { values }: SecretWorld): Promise<Result> {
  const found = findings()
  const got: string[] = []
  for (const vault of ['given', 'configured'] as const) {
    await using world = makeWorld(vault === 'configured' ? Object.fromEntries(values) : {})
    const rig = await openRig(world, vault, values, found)
    if (row.stage?.startsWith('tool-output')) got.push(await fromOutput(rig, input))
    else if (row.expect === 'policy') got.push(await underPolicy(rig, input))
    else if (row.expect === 'inject') got.push(await injected(rig, input, row.result ?? ''))
    else got.push(await literal(rig, input))
  }
  return found.result([...new Set(got)].join(', '))
}

interface Rig {
  readonly found: Findings
  readonly world: World
  readonly values: ReadonlyMap<string, string>
  /** What the probe got. */
  readonly seen: string[]
  open(granted: boolean): Promise<Toolkit>
}

async function openRig(
  world: World,
  vault: 'given' | 'configured',
  values: ReadonlyMap<string, string>,
  found: Findings,
): Promise<Rig> {
  const seen: string[] = []
  const config = join(world.home, 'config.json')
  writeFileSync(config, JSON.stringify({ secrets: { env: [...values.keys()] } }))
  const open = (granted: boolean) => {
    const options: ToolkitOptions = {
      contract: standInContract(
        probe(text => {
          seen.push(text)
          return { text }
        }),
      ),
      permissions: ['fs:write', ...(granted ? ['secret:*'] : [])],
    }
    return world.open({ ...options, ...(vault === 'given' ? { secrets: vaultWith(values) } : { config }) })
  }
  return { found, world, values, seen, open }
}

async function injected({ found, world, values, seen, open }: Rig, input: string, result: string): Promise<string> {
  const kit = await open(true)
  const expected = result.replaceAll(/\{(\w+)\}/g, (_, key: string) => values.get(key) ?? '')
  const { outcome, file } = await send(kit, world, input)
  found.demand(seen[0] === expected, `the tool got ${JSON.stringify(seen[0])}`)
  found.demand(file === expected, `the file holds ${JSON.stringify(file)}`)
  checkClean(found, world, values, outcome)
  return 'injected'
}

/** An unknown key is an error that names it; anything else that is no placeholder arrives as it is. */
async function literal({ found, world, values, seen, open }: Rig, input: string): Promise<string> {
  const kit = await open(true)
  const { outcome, file } = await send(kit, world, input)
  const named = [...input.matchAll(/(?<![\\$])\$ENV\.([A-Za-z_]\w*)/g)].map(([, key = '']) => key)
  const unknown = named.find(key => !values.has(key))
  if (outcome.ok) {
    found.demand(unknown === undefined, `'${unknown}' was sent on`)
    found.demand(seen[0] === input && file === input, `the tool got ${JSON.stringify(seen[0])}`)
  } else {
    found.demand(outcome.error.code === 'unknown_secret', outcome.error.code)
    found.demand(outcome.error.message.includes(unknown ?? ''), `the error does not name '${unknown}'`)
    found.demand(seen.length === 0 && file === undefined, 'it ran all the same')
  }
  found.demand(leaked(values, seen, file ?? '') === undefined, 'a value was put in')
  found.demand(!seen.some(text => text.includes(process.env['PATH'] ?? '\0')), 'the environment was put in')
  checkClean(found, world, values, outcome)
  return outcome.ok ? 'literal' : outcome.error.code
}

/** A secret without a grant asks, even if the text came from a file that the agent read. */
async function underPolicy({ found, world, values, seen, open }: Rig, input: string): Promise<string> {
  writeFileSync(join(world.root, 'untrusted.txt'), input)
  const kit = await open(false)
  const read = await kit.run('read', { path: 'untrusted.txt' }, { contract: 'toolwright' })
  const text = read.outcome.ok ? String(Reflect.get(Object(read.outcome.data), 'content')) : ''
  found.demand(text === input, 'the file was not read as it is')
  for (const dryRun of [true, false]) {
    const { outcome } = await kit.run('probe', { text }, { dryRun })
    found.demand(!outcome.ok && outcome.error.code === 'rejected', 'nobody was asked')
    found.demand(JSON.stringify(outcome.meta.claims).includes('"reveal"'), 'the claim does not name the secret')
    checkClean(found, world, values, outcome)
  }
  // What a person would be shown is made with the text as it was given.
  found.demand(leaked(values, seen) === undefined, 'it ran')
  return 'asked'
}

/** What a tool answers is text, now and in a later call that does not name it. */
async function fromOutput({ found, world, values, seen, open }: Rig, text: string): Promise<string> {
  writeFileSync(join(world.root, 'output.txt'), text)
  const kit = await open(true)
  const { outcome } = await kit.run('read', { path: 'output.txt' }, { contract: 'toolwright' })
  found.demand(outcome.ok && Reflect.get(Object(outcome.data), 'content') === text, 'the answer is not the text')
  const next = await kit.run('probe', { text: 'something else' })
  found.demand(seen.join() === 'something else', 'the next call got more than its input')
  checkClean(found, world, values, outcome)
  checkClean(found, world, values, next.outcome)
  return 'literal'
}

/** One call of the probe, and one that writes a file. */
async function send(
  kit: Toolkit,
  { root }: World,
  text: string,
): Promise<{ outcome: Outcome; file: string | undefined }> {
  const { outcome } = await kit.run('probe', { text })
  await kit.run('Write', { file: 'out.txt', content: text }, { contract: 'sage' })
  const file = join(root, 'out.txt')
  return { outcome, file: existsSync(file) ? readFileSync(file, 'utf8') : undefined }
}

function checkClean(found: Findings, world: World, values: ReadonlyMap<string, string>, outcome: Outcome): void {
  found.demand(leaked(values, outcome) === undefined, `the answer shows ${leaked(values, outcome)}`)
  found.demand(leaked(values, world.journal()) === undefined, `the journal shows ${leaked(values, world.journal())}`)
}
