import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { ToolError } from '../../kernel/error.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { workspaceState } from '../../machine/state/directory.ts'
import {
  claimServer,
  listeningServer,
  serverPlace,
  type ServerClaim,
  type ServerPlace,
} from '../../machine/state/server-place.ts'
import { openTokens } from '../../machine/state/tokens.ts'
import { openToolkit, type Toolkit } from '../../toolkit.ts'
import { startServer, type HttpServer } from '../http/start-server.ts'
import { clientSetups } from '../mcp/client-setup.ts'
import { workspaceOf } from './find-workspace.ts'
import { numberOption } from './number-option.ts'
import { openBrowser } from './open-browser.ts'
import { painter, say, warn, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

const OPTIONS = {
  root: { type: 'string', multiple: true },
  port: { type: 'string' },
  open: { type: 'boolean' },
} as const

/** How long a question of a served call waits in the list: whoever calls over HTTP has no surface for it. */
const APPROVAL_MS = 10 * 60_000
const START_MS = 10_000
const LOOK_MS = 50
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** `toolwright serve`: serves workspaces over HTTP on this machine, until a signal. */
export async function serve(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('serve', args, OPTIONS)
  if (positionals.length > 0) throw new UsageError("'serve' takes no arguments", 'serve')
  const port = values.port === undefined ? undefined : numberOption(values.port, '--port', 'serve', { most: 65_535 })
  const { json = false, open = false } = values
  const roots = values.root ?? [workspaceOf(terminal, { json })]
  const places = roots.map(root => serverPlace(workspaceState(root, terminal.env).path))
  const claims = places.map(claimServer)
  try {
    if (claims.every(claim => claim !== undefined)) {
      const kits = await openAll(roots, values.config, terminal)
      return await serveAll({ kits, claims, places, port, json, open, config: values.config }, terminal)
    }
  } finally {
    for (const claim of claims) claim?.release()
  }
  return nameOther(places, { isOther: claims.map(claim => claim === undefined), json, open }, terminal)
}

async function openAll(roots: readonly string[], config: string | undefined, { env }: Terminal): Promise<Toolkit[]> {
  const kits: Toolkit[] = []
  try {
    for (const root of roots)
      kits.push(
        await openToolkit({
          root,
          env,
          resident: 'start',
          parsersWhenNeeded: true,
          ...(config !== undefined && { config }),
        }),
      )
    return kits
  } catch (error) {
    for (const kit of kits) await kit.close()
    throw error
  }
}

interface Serving {
  readonly kits: readonly Toolkit[]
  readonly claims: readonly ServerClaim[]
  readonly places: readonly ServerPlace[]
  readonly port: number | undefined
  readonly json: boolean
  readonly open: boolean
  readonly config: string | undefined
}

async function serveAll(
  { kits, claims, places, port, json, open, config }: Serving,
  terminal: Terminal,
): Promise<number> {
  const [place] = places
  if (!place) throw new UsageError('Name a workspace with --root', 'serve')
  try {
    const tokens = openTokens(place)
    const onError = (error: unknown): void =>
      warn(
        terminal,
        `toolwright: ${sanitize(error instanceof Error ? (error.stack ?? error.message) : String(error), { max: 4000 })}`,
      )
    const start = (wanted: number): Promise<HttpServer> =>
      startServer({
        kits,
        env: terminal.env,
        config,
        approvalMs: APPROVAL_MS,
        tokens,
        port: wanted,
        pageSessions: place.pages,
        onError,
      })
    const server = await startAt(start, port, claims[0]?.lastPort)
    const { url } = server
    for (const claim of claims) claim.announce({ url, port: server.port, tokenFile: place.token })
    if (json) say(terminal, jsonLine(addressOf({ url, tokenFile: place.token })))
    else for (const line of await firstLines(kits, server.newLink(), terminal)) say(terminal, line)
    if (open) await openPage(server.newLink(), place, terminal)
    await untilSignal(server, terminal)
    return EXIT.ok
  } finally {
    for (const kit of kits) await kit.close()
  }
}

/** Says what is served, where, and how to connect a client; before that, what does not work on this system. */
async function firstLines(kits: readonly Toolkit[], link: string, terminal: Terminal): Promise<readonly string[]> {
  const paint = painter(terminal)
  const platform = platformLine(process.platform)
  const workspaceTexts = await Promise.all(kits.map(kit => servedWords(kit)))
  const [first] = kits
  const command: [string, ...string[]] = [process.execPath, process.argv[1] ?? 'toolwright']
  const setup = clientSetups(command, first?.root ?? '.')[0]?.text ?? ''
  return [
    ...(platform === undefined ? [] : [paint('yellow', platform)]),
    `${paint('green', '✓')} Serving ${workspaceTexts.join(', ')}. Ctrl-C stops it`,
    `  Open ${link} in a browser: the link works once, within ten minutes`,
    // The command ends the line, ready to be copied.
    `  Connect Claude Code (other clients: docs/mcp.md): ${sanitize(setup, { max: 2000 })}`,
  ]
}

async function servedWords(kit: Toolkit): Promise<string> {
  const [{ tools }, pending] = await Promise.all([kit.offer(), kit.workspace.pending()])
  const open = pending.list().length
  const waiting = open === 0 ? 'nothing waits' : open === 1 ? 'a question waits' : `${open} questions wait`
  return `${sanitize(kit.root)} (${tools.length} tools, ${waiting})`
}

/** Returns what a person should know first on a system that is not Linux. */
export const platformLine = (platform: NodeJS.Platform): string | undefined =>
  platform === 'linux'
    ? undefined
    : `${platform === 'darwin' ? 'macOS' : platform === 'win32' ? 'Windows' : platform}: only help, tools and this page work here; files and commands need Linux. docs/platforms.md shows three ways to it`

async function openPage(link: string, { directory }: ServerPlace, terminal: Terminal): Promise<void> {
  const problem = await openBrowser(link, directory)
  if (problem !== undefined) warn(terminal, `No browser could be opened: ${sanitize(problem)}`)
}

/** Starts at the wanted port; without one at the last port if it is free, so that clients find us again. */
async function startAt(
  start: (port: number) => Promise<HttpServer>,
  wanted: number | undefined,
  last = 0,
): Promise<HttpServer> {
  try {
    return await start(wanted ?? last)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')))
      throw error
    if (wanted === undefined) return start(0)
    throw new ToolError('unavailable', `Port ${wanted} cannot be used: ${error.code}`, {
      hint: 'Give another --port, or none for one that is free',
      cause: error,
    })
  }
}

/** Stops the server at the first signal. A second one ends this process at once. */
async function untilSignal(server: HttpServer, terminal: Terminal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = (): void => resolve()
  for (const signal of SIGNALS) process.once(signal, end)
  try {
    await promise
  } finally {
    for (const signal of SIGNALS) process.off(signal, end)
  }
  const open = server.inFlight()
  if (open > 0) warn(terminal, `Waiting for ${open} ${open === 1 ? 'request' : 'requests'}; Ctrl-C again ends at once`)
  await server.stop()
}

/** Says where the server that has these workspaces listens. */
async function nameOther(
  places: readonly ServerPlace[],
  { isOther, json, open }: { readonly isOther: readonly boolean[]; readonly json: boolean; readonly open: boolean },
  terminal: Terminal,
): Promise<number> {
  const others = await Promise.all(places.filter((_, at) => isOther[at]).map(waitForServer))
  const [other] = others
  if (!other || others.some(one => one.url !== other.url) || isOther.includes(false))
    throw new ToolError(
      'conflict',
      `A server at ${others.map(({ url }) => url).join(', ')} has some of these workspaces`,
      {
        hint: 'Stop it, or leave its workspaces out',
      },
    )
  const { url, tokenFile } = other
  if (json) {
    say(terminal, jsonLine(addressOf({ url, tokenFile })))
    return EXIT.ok
  }
  say(terminal, `Served already at ${url}, with the token in ${sanitize(tokenFile)}`)
  const link = await newLink(other)
  if (link !== undefined) say(terminal, `  Open ${link} in a browser: the link works once, within ten minutes`)
  const [place] = places
  if (open && link !== undefined && place) await openPage(link, place, terminal)
  return EXIT.ok
}

/** What a program needs to use a server. */
const addressOf = ({ url, tokenFile }: { readonly url: string; readonly tokenFile: string }) => ({
  url,
  mcp: `${url}/mcp`,
  tokenFile,
})

/** Asks the server for another link; undefined if it does not answer. */
async function newLink({ url, tokenFile }: { readonly url: string; readonly tokenFile: string }) {
  try {
    const authorization = `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`
    const response = await fetch(`${url}/v1/links`, { method: 'POST', headers: { authorization } })
    const { path } = Object(await response.json())
    return typeof path === 'string' ? url + path : undefined
  } catch {
    return undefined
  }
}

/** Waits for a server that is starting. */
async function waitForServer(place: ServerPlace) {
  for (const until = performance.now() + START_MS; performance.now() < until; await pause(LOOK_MS)) {
    const server = listeningServer(place)
    if (server) return server
  }
  throw new ToolError('unavailable', 'Another server has this workspace, but does not say where it listens', {
    hint: 'Try again in a moment',
  })
}
