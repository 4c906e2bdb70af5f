import type { JSONRPCMessage, Server } from '@modelcontextprotocol/server'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const ANSWER_MS = 5000

/** Of any scheme: one that is of no use here does not spoil the others. */
const ROOTS = z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })) })

/** Reports whether a client begins with saying that it has roots. Since 2026-07-28 nobody can be asked for them. */
export function offersRoots(message: JSONRPCMessage): boolean {
  if (!('method' in message) || message.method !== 'initialize') return false
  const { roots } = Object(Object(message.params).capabilities)
  return typeof roots === 'object' && roots !== null
}

/** The first directory among the roots of a client; undefined if it names none that is there. */
export async function firstRoot(server: Server, tell: (message: string) => void): Promise<string | undefined> {
  try {
    const { roots } = await server.request({ method: 'roots/list' }, ROOTS, { timeout: ANSWER_MS })
    return roots.map(({ uri }) => directoryAt(uri)).find(path => path !== undefined)
  } catch (error) {
    tell(`The client did not say what its roots are: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

/** Says so where the client moves on: a connection stays in its workspace, with the policy and the journal of that. */
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
    // Of another scheme, on another machine, or gone.
    return undefined
  }
}
