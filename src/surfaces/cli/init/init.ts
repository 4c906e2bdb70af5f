import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { ToolError } from '../../../kernel/error.ts'
import { sanitize } from '../../../kernel/sanitize.ts'
import { stateDirectory, workspaceState } from '../../../machine/state/directory.ts'
import { lastServer, serverPlace } from '../../../machine/state/server-place.ts'
import { openTokens, type Tokens } from '../../../machine/state/tokens.ts'
import { diffLines } from '../../render/diff.ts'
import { typedLine } from '../ask.ts'
import { workspaceOf } from '../find-workspace.ts'
import { isTypedAt, painter, say, warn, type Terminal } from '../terminal.ts'
import { EXIT, parse, UsageError } from '../usage.ts'
import { planEntry, planUndo, type PlannedChange } from './change-file.ts'
import { CLIENT_NAMES, clientFile, isClient, type ClientFile, type ClientName, type Connection } from './clients.ts'
import { offerProjectFiles } from './offer-project-files.ts'
import type { ChangeKey } from './undo-record.ts'

const OPTIONS = {
  undo: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  http: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const

type Values = ReturnType<typeof parse<typeof OPTIONS>>['values']

/** `toolwright init`: connects a client, by showing and then writing one entry of its settings; `--undo` takes it back. */
export async function init(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('init', args, OPTIONS)
  if (positionals.length > 1) throw new UsageError("'init' takes one client", 'init')
  const root = workspaceOf(terminal, values)
  const home = { env: terminal.env, root, platform: process.platform }
  const name = await chosenClient(positionals[0], found => existsSync(dirname(clientFile(found, home).file)), terminal)
  const place = clientFile(name, home)
  const key: ChangeKey = { client: name, file: place.file, path: place.path }
  const change = { name, place, key, root, values }
  return values.undo ? undo(change, terminal) : connect(change, terminal)
}

interface Change {
  readonly name: ClientName
  readonly place: ClientFile
  readonly key: ChangeKey
  readonly root: string
  readonly values: Values
}

async function connect({ name, place, key, root, values }: Change, terminal: Terminal): Promise<number> {
  const { env } = terminal
  const isDry = values['dry-run'] === true
  const tokens = values.http ? tokensOf(root, terminal) : undefined
  const tokenName = `init-${name}`
  // What is shown has no token: it is made once the change is accepted.
  const shown = connectionFor({ place, root, values, terminal }, 'tw_…')
  const plan = planEntry(stateDirectory(env), key, place, place.entry(shown))
  if (!plan.isChange && !values.http) {
    say(terminal, `${sanitize(place.file)} connects '${name}' already.`)
    return EXIT.ok
  }
  show(plan, place.file, terminal)
  if (isDry) return EXIT.ok
  if (!(await isAccepted(values, `Write it into ${place.file}?`, terminal))) return EXIT.refused
  const token = tokens && newToken(tokens, tokenName)
  const entry = place.entry(connectionFor({ place, root, values, terminal }, token ?? ''))
  planEntry(stateDirectory(env), key, place, entry).write(token === undefined ? undefined : tokenName)
  say(terminal, `Connected '${name}'. Take it back with: toolwright init ${name} --undo`)
  if (token !== undefined && place.tokenVariable !== undefined) {
    warn(terminal, `Start the client with this in its environment; it is not shown again:`)
    say(terminal, `export ${place.tokenVariable}=${token}`)
  }
  if (!isTypedAt(terminal)) return EXIT.ok
  await offerProjectFiles(root, terminal)
  const { doctor } = await import('../doctor.ts')
  return doctor(['--root', root], terminal)
}

async function undo({ name, place, key, root, values }: Change, terminal: Terminal): Promise<number> {
  const plan = planUndo(stateDirectory(terminal.env), key, place)
  show(plan, place.file, terminal)
  if (values['dry-run']) return EXIT.ok
  if (!(await isAccepted(values, `Write it into ${place.file}?`, terminal))) return EXIT.refused
  plan.write()
  if (plan.token !== undefined) tokensOf(root, terminal).revoke(plan.token)
  say(terminal, `Took back what connected '${name}'.`)
  return EXIT.ok
}

interface Wish {
  readonly place: ClientFile
  readonly root: string
  readonly values: Values
  readonly terminal: Terminal
}

/** Absolute paths: programs with windows have another PATH, and a version manager none outside its shell. */
function connectionFor({ place, root, values, terminal }: Wish, token: string): Connection {
  const program = process.argv[1] ?? 'toolwright'
  if (!values.http)
    return { kind: 'stdio', command: process.execPath, args: [program, 'mcp', '--root', place.root ?? root] }
  const server = lastServer(serverPlace(workspaceState(root, terminal.env).path))
  if (!server)
    throw new ToolError('unavailable', 'No server was started here yet, so its address is not known', {
      hint: 'Run toolwright serve, then this command again',
    })
  return { kind: 'http', url: `${server.url}/mcp`, token }
}

const tokensOf = (root: string, { env }: Terminal): Tokens => openTokens(serverPlace(workspaceState(root, env).path))

/** A token of its own, that can read and call. One of an earlier run is replaced. */
function newToken(tokens: Tokens, name: string): string {
  tokens.revoke(name)
  return tokens.add(name, ['read', 'call'], new Date().toISOString())
}

async function chosenClient(
  name: string | undefined,
  isThere: (name: ClientName) => boolean,
  terminal: Terminal,
): Promise<ClientName> {
  if (name !== undefined) {
    if (isClient(name)) return name
    throw new UsageError(`'init' knows no client '${name}'`, 'init', { typed: name, known: CLIENT_NAMES })
  }
  const names = CLIENT_NAMES.filter(isClient)
  const found = names.filter(one => one !== 'generic' && isThere(one))
  const offered = found.length > 0 ? found : names
  if (!isTypedAt(terminal)) throw new UsageError(`Name a client: ${offered.join(', ')}`, 'init')
  const typed = (await typedLine(terminal, `Which client (${offered.join(', ')})? `)).trim()
  if (isClient(typed)) return typed
  throw new UsageError(`'init' knows no client '${typed}'`, 'init', { typed, known: CLIENT_NAMES })
}

function show({ diff }: PlannedChange, file: string, terminal: Terminal): void {
  say(terminal, `${sanitize(file)}:`)
  for (const line of diffLines(diff, { paint: painter(terminal) })) say(terminal, line)
}

async function isAccepted({ yes }: Values, question: string, terminal: Terminal): Promise<boolean> {
  if (yes) return true
  if (!isTypedAt(terminal)) throw new UsageError('No one can be asked here: add --yes, or --dry-run to look', 'init')
  if (/^y(es)?$/i.test((await typedLine(terminal, `${question} (y/n): `)).trim())) return true
  say(terminal, 'Nothing was changed.')
  return false
}
