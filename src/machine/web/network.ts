import type { Socket } from 'node:net'

/** The two things that are asked of the network itself; everything else is made of them. */
export interface Network {
  /** Every address of a name. */
  lookup(name: string): Promise<readonly string[]>
  /** Starts a connection to exactly this address. */
  connect(address: string, port: number): Socket
  /** PEM certificates to trust in place of the usual ones. */
  readonly ca?: string
}

/** The network of this machine. Proxies that the environment names are not used: they would connect in our place, unjudged. */
export const systemNetwork: Network = {
  async lookup(name) {
    const { lookup } = await import('node:dns/promises')
    const found = await lookup(name, { all: true, order: 'verbatim' })
    return found.map(({ address }) => address)
  },
  // Loaded with the first connection: most calls make none.
  connect: (address, port) => process.getBuiltinModule('node:net').connect({ host: address, port, lookup: noLookup }),
}

/** What is connected to is an address: a name here would be one that nobody judged. */
const noLookup = (name: string): never => {
  throw new Error(`'${name}' is not an address`)
}
