import { randomBytes } from 'node:crypto'
import { createRequestStateCodec, type ServerContext } from '@modelcontextprotocol/server'

/** Signs the names of parked calls, so that a name that was made up or changed is refused before it is looked up. */
export interface SignedStates {
  sign(state: string): Promise<string>
  /** Returns the name. Throws if we did not sign it. */
  verify(signed: string, context: ServerContext): Promise<string>
}

/** A state is used once, by the client that holds the key's other states, and lives as long as its question. */
export function createStates(): SignedStates {
  const codec = createRequestStateCodec<string>({ key: randomBytes(32), ttlSeconds: LONGEST_S })
  return { sign: state => codec.mint(state), verify: codec.verify }
}

/** Longer than any question waits; parked calls end by themselves before. */
const LONGEST_S = 24 * 3600
