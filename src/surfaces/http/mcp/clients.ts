import type { Caller } from '../../../machine/state/tokens.ts'
import type { ServedWorkspace } from '../served-workspace.ts'

/** Keeps one thing for each caller and workspace, and closes that of whoever was away the longest. */
interface Clients<Client> {
  get(caller: Caller, place: ServedWorkspace): Promise<Client>
  close(): Promise<void>
}

/** More tokens than a person makes. */
const MOST_CLIENTS = 256

export function createClients<Client extends { close(): Promise<void> }>(
  open: (caller: Caller, place: ServedWorkspace) => Promise<Client>,
  most: number = MOST_CLIENTS,
): Clients<Client> {
  const clients = new Map<string, Promise<Client>>()
  const close = async (opening: Promise<Client>): Promise<void> => (await opening.catch(() => undefined))?.close()
  return {
    get(caller, place) {
      const key = `${caller.id} ${place.name}`
      const client = clients.get(key) ?? open(caller, place)
      // A later request may succeed.
      client.catch(() => clients.delete(key))
      clients.delete(key)
      clients.set(key, client)
      const [oldest] = clients
      if (clients.size > most && oldest) {
        clients.delete(oldest[0])
        void close(oldest[1])
      }
      return client
    },
    async close() {
      await Promise.all(Array.from(clients.values(), close))
    },
  }
}
