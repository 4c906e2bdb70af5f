import { statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ToolError } from '../../kernel/error.ts'
import { openLock } from './lock.ts'
import { makePrivateDirectory, readOwnFile, writePrivateFile } from './private-file.ts'
import { isRunning, thisProcess, type ProcessIdentity } from './process-identity.ts'

/** Files of the HTTP server in a workspace's state directory. */
export interface ServerPlace {
  readonly directory: string
  /** Held by the server for its whole life. */
  readonly lock: string
  /** Where the server listens, or did last. */
  readonly record: string
  /** The person's own token. */
  readonly token: string
  /** The tokens of clients, as hashes. */
  readonly tokens: string
  /** The sessions of the console, as hashes. */
  readonly pages: string
}

/** Returns the places, and creates their directory. */
export function serverPlace(statePath: string): ServerPlace {
  const directory = join(statePath, 'http')
  makePrivateDirectory(directory)
  return {
    directory,
    lock: join(directory, 'server.lock'),
    record: join(directory, 'server.json'),
    token: join(directory, 'token'),
    tokens: join(directory, 'tokens.json'),
    pages: join(directory, 'pages.json'),
  }
}

const Record = z.strictObject({
  url: z.string().min(1),
  port: z.int(),
  tokenFile: z.string().min(1),
  pid: z.int(),
  start: z.string(),
})

/** A server that listens for this workspace. */
interface ListeningServer extends ProcessIdentity {
  readonly url: string
  readonly port: number
  readonly tokenFile: string
}

/** The right to serve a workspace. */
export interface ServerClaim {
  /** The port of the last server here, so that clients find the next one at the same address. */
  readonly lastPort: number | undefined
  /** Writes down where the server listens. */
  announce(at: Pick<ListeningServer, 'url' | 'port' | 'tokenFile'>): void
  release(): void
}

/** Takes the right to serve this workspace. Returns undefined if another server has it. */
export function claimServer(place: ServerPlace): ServerClaim | undefined {
  const lock = openLock(place.lock)
  try {
    lock.acquire(0)
  } catch (error) {
    lock.close()
    if (error instanceof ToolError && error.code === 'unavailable') return undefined
    throw error
  }
  return {
    lastPort: readRecord(place)?.port,
    announce: at => writePrivateFile(place.record, `${JSON.stringify({ ...at, ...thisProcess() }, null, 2)}\n`),
    release() {
      lock.release()
      lock.close()
    },
  }
}

/** Returns the server that has announced itself here and still runs. */
export function listeningServer(place: ServerPlace): ListeningServer | undefined {
  const record = readRecord(place)
  return record && isRunning(record) ? record : undefined
}

/** Returns where the server of this workspace listens, or did last: the next one takes the same port if it is free. */
export const lastServer = (place: ServerPlace): Pick<ListeningServer, 'url'> | undefined => readRecord(place)

function readRecord({ record }: ServerPlace): ListeningServer | undefined {
  if (!statSync(record, { throwIfNoEntry: false })) return undefined
  // A damaged record names no server; the next server writes a new one.
  const { data } = Record.safeParse(parseJson(readOwnFile(record).toString('utf8')))
  return data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
