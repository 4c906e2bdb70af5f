import type { Socket } from 'node:net'

/** The two primitives of the network; everything else uses them. */
export interface Network {
  /** Returns every address of a name. */
  lookup(name: string): Promise<readonly string[]>
  /** Starts a connection to exactly this address. */
  connect(address: string, port: number): Socket
  /** PEM certificates to trust instead of the usual ones. */
  readonly ca?: string
}

/** The network of this machine. Ignores proxies from the environment: they would connect unjudged in our place. */
export const systemNetwork: Network = {
  async lookup(name) {
    const { lookup } = await import('node:dns/promises')
    const addresses = await lookup(name, { all: true, order: 'verbatim' })
    return addresses.map(({ address }) => address)
  },
  // Loaded with the first connection: most calls make none.
  connect: (address, port) => process.getBuiltinModule('node:net').connect({ host: address, port, lookup: noLookup }),
}

/** Connections go to addresses only: a name here would be unjudged. */
const noLookup = (name: string): never => {
  throw new Error(`'${name}' is not an address`)
}
