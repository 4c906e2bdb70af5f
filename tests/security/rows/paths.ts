import { existsSync, lstatSync, readFileSync, readdirSync, realpathSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { sage } from '../../../src/contracts/sage/contract.ts'
import { decide } from '../../../src/guards/policy/decide.ts'
import { makePolicy } from '../../../src/guards/policy/policy.ts'
import { protectedPlace } from '../../../src/guards/policy/builtin.ts'
import type { Outcome } from '../../../src/kernel/outcome.ts'
import { dispatch } from '../../../src/surfaces/cli/dispatch.ts'
import { snapshotOf, type Snapshot } from '../../../src/testing/temporary-workspace.ts'
import { loadContract, type SessionHandle, type Toolkit } from '../../../src/toolkit.ts'
import {
  filled,
  hashTree,
  sharedFixture,
  type BuiltFixture,
  type Fixture,
  type SharedFixture,
} from '../build-fixture.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { rawCharacter } from '../raw-characters.ts'
import { CannotRun, findings, type Findings, type Result, type Row, type RunRow } from '../row.ts'
import { makeWorld, type World } from '../world.ts'
import { statTool } from './stat-tool.ts'
import { routesOf, type Route } from './path-routes.ts'
import { processorMs } from '../../processor-time.ts'

export interface PathRow extends Row {
  readonly op: string
  readonly path: unknown
  readonly exists?: boolean
  readonly resolves_to?: string
  readonly platform?: string
}

/** Allowed by permission, so that what refuses is the path gate and the builtin protection. */
const PERMISSIONS = ['fs:read', 'fs:write']
const REFUSALS = new Set(['outside_workspace', 'invalid_input', 'denied', 'not_a_file', 'not_a_directory', 'exists'])
/** The directory of a command is judged before the command runs: what is around the command is not asked here. */
const COMMANDS = { permissions: [...PERMISSIONS, 'exec'], config: '{"sandbox":"off"}' }
const LOOKS = new Set(['read', 'list', 'stat', 'glob', 'grep', 'shell_cwd'])

/** Makes each call in a session of its own on a fresh fixture, through every tool that has the verb. */
export function pathRows(fixture: Fixture, documents: string): RunRow {
  const shared = sharedFixture(fixture)
  const places = openPlaces(shared)
  const run = async (row: Row): Promise<Result> => {
    const pathRow = row as PathRow
    const results: Result[] = []
    const routes = routesOf(pathRow)
    if (routes.length === 0) throw new CannotRun(`no tool stands for '${pathRow.op}'`)
    for (const route of routes) results.push(await attempt(pathRow, route, { fixture, places, documents }))
    return { ok: results.every(({ ok }) => ok), got: results.map(({ got }) => got).join(' | ') }
  }
  const close = async (): Promise<void> => {
    await places.close()
    shared.close()
  }
  return Object.assign(run, { close })
}

interface Ground {
  readonly fixture: Fixture
  readonly places: Places
  readonly documents: string
}

/** The fixture, opened once for the calls that leave it as it was. */
interface Place extends BuiltFixture {
  readonly world: World
  readonly kit: Toolkit
}

interface Places {
  at(op: string): Promise<Place>
  close(): Promise<void>
}

function openPlaces(shared: SharedFixture): Places {
  const opened = new Map<'commands' | 'files', Place>()
  const close = async (): Promise<void> => {
    for (const { world } of opened.values()) await world[Symbol.asyncDispose]()
    opened.clear()
  }
  return {
    async at(op) {
      const kind = op === 'shell_cwd' ? 'commands' : 'files'
      const built = await shared.built()
      if ([...opened.values()].some(({ base }) => base !== built.base)) await close()
      const known = opened.get(kind)
      if (known) return known
      const world = makeWorld({}, built.base)
      if (kind === 'commands') world.configure(COMMANDS.config)
      const place = { ...built, world, kit: await world.open() }
      opened.set(kind, place)
      return place
    },
    close,
  }
}

async function attempt(row: PathRow, route: Route, { fixture, places, documents }: Ground): Promise<Result> {
  const { world, kit: opened, inside, outside } = await places.at(row.op)
  const { base, root } = world
  const path = typeof row.path === 'string' ? filled(base, row.path) : row.path
  const found = findings()

  const records: object[] = []
  const kit = opened.session({
    contract: route.standIn ? statTool(() => opened.workspace) : await loadContract(route.contract),
    permissions: row.op === 'shell_cwd' ? COMMANDS.permissions : PERMISSIONS,
    onRecord: record => records.push(record),
  })
  const earlier = world.journal()
  const far = witness(root, path)
  const target = realTarget(root, path)
  const shows = hardLinked(root, path, fixture.canary)

  const { tool, input, first } = route.call(path, contentOf(root, path))
  const before = first ? await kit.run(first.tool, first.input) : undefined
  const start = performance.now()
  const worked = processorMs()
  const { outcome, answer } = await kit.run(tool, input)
  // What waits for the other end of a pipe waits for ever; a busy machine is given time.
  found.demand(processorMs() - worked < 1000, 'it took more than a second of work')
  found.demand(performance.now() - start < 10_000, 'it took more than ten seconds')

  const journal = world.journal().slice(earlier.length)
  found.demand(journal !== '', 'the journal has nothing of it')
  const outputs = [before, answer, records].map(part => JSON.stringify(part) ?? '').join('\n') + journal
  const mayShow = shows || (row.invariant?.includes('except-hard') === true && onlyHardLinks(outcome, fixture))
  found.demand(mayShow || !outputs.includes(fixture.canary), 'text from outside shows')
  found.demand(hashTree(base, 'ws') === outside, 'something outside changed')
  found.demand(witness(root, path) === far, 'the path named outside changed')
  found.demand(readdirSync(world.home).length === 0, 'something was written in the home directory')
  found.demand(rawCharacter(journal) === undefined, `the journal holds ${rawCharacter(journal)}`)
  checkInside(found, {
    row,
    outcome,
    before: inside,
    after: snapshotOf(root),
    targets: [target, realTarget(root, path)],
  })
  checkVerdict(found, { row, route, kit, root, path, outcome, answer })
  await checkInvariant(found, { row, world, path, outcome, documents })
  return found.result(`${route.name}: ${outcome.ok ? 'ok' : outcome.error.code}`)
}

interface Seen {
  readonly row: PathRow
  readonly route: Route
  readonly kit: SessionHandle
  readonly root: string
  readonly path: unknown
  readonly outcome: Outcome
  readonly answer: unknown
}

function checkVerdict(found: Findings, { row, route, kit, root, path, outcome, answer }: Seen): void {
  const code = outcome.ok ? 'ok' : outcome.error.code
  found.demand(code !== 'internal' && code !== 'timeout' && code !== 'io', `it failed: ${describe(outcome)}`)
  const words = row.ok ?? [row.expect]
  // The gate let it through, and the tool only shows text.
  const isBinary = contentOf(root, path).includes('\0')
  const leadsNowhere = () => typeof path === 'string' && isThroughNothing(root, path)
  const fits: Readonly<Record<string, () => boolean>> = {
    allow: () => outcome.ok || (row.exists === false && code === 'not_found') || (code === 'binary' && isBinary),
    deny: () => REFUSALS.has(code) || (code === 'not_found' && leadsNowhere()),
    ask: () =>
      code === 'rejected' && kit.check(route.call(path, '').tool, route.call(path, '').input).verdict === 'ask',
    either: () => true,
  }
  const isForeign = row.platform !== undefined && row.platform !== process.platform
  if (isForeign) {
    // Elsewhere the name is an ordinary one, or refused; which of the two is not asked.
    found.demand(deniedOn(row.platform, path), `it is not denied on ${row.platform}`)
  } else
    found.demand(
      words.some(word => fits[word]?.()),
      `expected ${words.join(' or ')}: ${describe(outcome)}`,
    )
  if (typeof path === 'string' && path.includes('\0')) found.demand(code === 'invalid_input', 'a NUL is invalid input')
  if (row.resolves_to !== undefined)
    found.demand(
      outcome.meta.claims.every(({ resource }) => resource === row.resolves_to),
      `it means ${outcome.meta.claims.map(({ resource }) => resource).join(', ')}`,
    )
  if (route.contract === 'sage' && Object.values(sage.codes).includes(row.code_hint ?? ''))
    found.demand(JSON.stringify(answer).includes(`"code":"${row.code_hint}"`), `the code is not ${row.code_hint}`)
}

/** What a policy decides on another system, where the name cannot be tried out. */
function deniedOn(platform: string | undefined, path: unknown): boolean {
  if (typeof path !== 'string') return true
  const policy = makePolicy({ permissions: PERMISSIONS, protection: platform === undefined ? {} : { platform } })
  return decide(policy, [{ action: 'write', resource: path }]).verdict === 'deny'
}

interface Inside {
  readonly row: PathRow
  readonly outcome: Outcome
  readonly before: Snapshot
  readonly after: Snapshot
  /** What the path really means, before and after. */
  readonly targets: readonly (string | undefined)[]
}

/** A refused call and a look change nothing; any other call changes what it names and nothing else. */
function checkInside(found: Findings, { row, outcome, before, after, targets }: Inside): void {
  const touched = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    name => before[name] !== after[name],
  )
  const mayTouch = (name: string) =>
    targets.some(
      target => target !== undefined && (`${target}/` === name || target === name || isAbove(name, target)),
    ) ||
    (row.op === 'move_src' && name === 'moved-here.txt') ||
    (row.op === 'move_dst' && name === 'a.txt')
  const wrong = outcome.ok && !LOOKS.has(row.op) ? touched.filter(name => !mayTouch(name)) : touched
  found.demand(wrong.length === 0, `it changed ${wrong.join(', ')}`)
  const isThere = row.op === 'mkdir' && targets.some(target => target === '' || `${target}/` in before)
  if (outcome.ok && !LOOKS.has(row.op) && !isThere) found.demand(touched.length > 0, 'it changed nothing')
}

const isAbove = (name: string, target: string) => name.endsWith('/') && target.startsWith(name)

interface Held {
  readonly row: PathRow
  readonly world: World
  readonly path: unknown
  readonly outcome: Outcome
  readonly documents: string
}

async function checkInvariant(found: Findings, { row, world, path, outcome, documents }: Held): Promise<void> {
  if (typeof path !== 'string') return
  if (row.invariant === 'documented' || row.invariant?.endsWith('-documented'))
    found.demand(/normali[sz]ation/i.test(documents) && /hard link/i.test(documents), 'docs/ does not say what happens')
  if (row.invariant === 'old-or-new') {
    const text = readFileSync(join(world.root, path), 'utf8')
    found.demand(text === 'written\n' || !outcome.ok, `the file holds ${JSON.stringify(text)}`)
  }
  if (row.invariant?.startsWith('deny-on-')) found.demand(protectedPlace(path)?.verdict === 'deny', 'it is not denied')
  if (row.invariant === 'escaped-in-output')
    for (const shown of await shownBy(world, path)) {
      found.demand(rawCharacter(shown) === undefined, `the terminal gets ${rawCharacter(shown)}`)
    }
}

/** What the command line prints of a call that names the path, of its prompt, and of the journal. */
async function shownBy({ root, env }: World, path: string): Promise<string[]> {
  const runs: readonly (readonly [string, readonly string[], string?])[] = [
    ['call', ['write', JSON.stringify({ path, content: 'x\n' })], 'n\n'],
    ['call', ['write', JSON.stringify({ path, content: 'x\n' }), '--dry-run']],
    ['call', ['read', JSON.stringify({ path })]],
    ['call', ['read', JSON.stringify({ path }), '--json']],
    ['log', []],
    ['log', ['--json']],
  ]
  const shown: string[] = []
  for (const [command, args, typed] of runs) {
    const terminal = fakeTerminal(root, env, typed)
    await dispatch(command, args, terminal)
    shown.push(terminal.out() + terminal.err())
  }
  return shown
}

/** What the path means by the system's own account, relative to the root; undefined if that is outside or nothing. */
function realTarget(root: string, path: unknown): string | undefined {
  if (typeof path !== 'string' || path.includes('\0')) return undefined
  for (const place of [() => realpathSync(resolve(root, path)), () => resolve(root, path)]) {
    try {
      const way = relative(root, place())
      return leadsOut(way) ? undefined : way
    } catch {
      // Nothing is there: the name itself is what is meant.
    }
  }
  return undefined
}

/** A path with `..` behind a name that is not there means nothing to the system, wherever it seems to lead. */
function isThroughNothing(root: string, path: string): boolean {
  const names = path.split('/')
  const steps = names.map((_, at) => [root, ...names.slice(0, at)].join('/'))
  return (
    names.some((name, at) => name === '..' && !existsSync(steps[at] ?? root)) && realTarget(root, path) !== undefined
  )
}

const leadsOut = (way: string): boolean => way === '..' || way.startsWith('../')

/** Reports whether the path is a second name, inside, of a file whose content is known to be outside as well. */
function hardLinked(root: string, path: unknown, canary: string): boolean {
  const target = realTarget(root, path)
  if (target === undefined) return false
  const place = join(root, target)
  return existsSync(place) && lstatSync(place).isFile() && readFileSync(place, 'utf8').includes(canary)
}

function onlyHardLinks(outcome: Outcome, { canary, entries }: Fixture): boolean {
  const links = entries.filter(({ type }) => type === 'hardlink').map(({ p }) => p.replace(/^ws\//, ''))
  const text = outcome.ok ? String(Object(outcome.data).output) : ''
  // The first line says again what was looked for.
  const lines = text.split('\n').slice(1)
  return lines.every(line => !line.includes(canary) || links.some(link => line.trimStart().startsWith(`${link}:`)))
}

/** The place outside that a path names, as it is; a place that the kernel makes up anew each time is left out. */
function witness(root: string, path: unknown): string {
  if (typeof path !== 'string' || path.includes('\0')) return ''
  const place = resolve(root, path)
  if (!leadsOut(relative(root, place)) || /^\/(proc|dev)(?!\/shm\/)(\/|$)/.test(place)) return ''
  if (!existsSync(place)) return 'nothing'
  const stats = lstatSync(place, { bigint: true })
  return stats.isFile() ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : String(stats.ino)
}

/** The first line of what is at a path inside, so that an edit of it can be spelled. */
function contentOf(root: string, path: unknown): string {
  const target = realTarget(root, path)
  const place = join(root, target ?? '.')
  if (target === undefined || !existsSync(place) || !lstatSync(place).isFile()) return ''
  return readFileSync(place, 'utf8').split('\n', 1)[0] ?? ''
}

const describe = (outcome: Outcome): string =>
  outcome.ok ? 'it succeeded' : `${outcome.error.code}: ${outcome.error.message.slice(0, 200)}`
