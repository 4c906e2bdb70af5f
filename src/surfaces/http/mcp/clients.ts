import type { Caller } from '../../../machine/state/tokens.ts'

/** Who sends requests, and to which address. */
export interface Owner {
  readonly caller: Caller
  readonly address: string
}

/** Keeps one thing for each owner, and closes that of whoever was away the longest. */
interface Clients<At, Client> {
  get(owner: Owner, at: At): Promise<Client>
  close(): Promise<void>
}

/** More tokens than a person makes. */
const MOST_CLIENTS = 256

export function createClients<At, Client extends { close(): Promise<void> }>(
  open: (caller: Caller, at: At) => Promise<Client>,
  most: number = MOST_CLIENTS,
): Clients<At, Client> {
  const clients = new Map<string, Promise<Client>>()
  const close = async (opening: Promise<Client>): Promise<void> => (await opening.catch(() => undefined))?.close()
  return {
    get({ caller, address }, at) {
      const key = `${caller.id} ${address}`
      const client = clients.get(key) ?? open(caller, at)
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
