import type { JSONRPCMessage, Server } from '@modelcontextprotocol/server'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const ANSWER_MS = 5000

/** Accepts any scheme, so that an unusable root does not reject the others. */
const ROOTS = z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })) })

/** Reports whether a client's first message offers roots. Since 2026-07-28 clients cannot be asked for them. */
export function offersRoots(message: JSONRPCMessage): boolean {
  if (!('method' in message) || message.method !== 'initialize') return false
  const { roots } = Object(Object(message.params).capabilities)
  return typeof roots === 'object' && roots !== null
}

/** Returns the first existing directory among a client's roots, or undefined. */
export async function firstRoot(server: Server, tell: (message: string) => void): Promise<string | undefined> {
  try {
    const { roots } = await server.request({ method: 'roots/list' }, ROOTS, { timeout: ANSWER_MS })
    return roots.map(({ uri }) => directoryAt(uri)).find(path => path !== undefined)
  } catch (error) {
    tell(`The client did not say what its roots are: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

/** Reports that the client's roots have changed: a connection stays in its workspace, with that policy and journal. */
export function onRootsChanged(server: Server, place: string, tell: (message: string) => void): void {
  server.setNotificationHandler('notifications/roots/list_changed', async () => {
    const now = await firstRoot(server, tell)
    if (now !== undefined && now !== place)
      tell(`The client's first root is ${now} now. This server stays in ${place}: start it again to work there`)
  })
}

function directoryAt(uri: string): string | undefined {
  try {
    const path = fileURLToPath(uri)
    return statSync(path).isDirectory() ? path : undefined
  } catch {
    // Another scheme, another machine, or a missing directory.
    return undefined
  }
}
