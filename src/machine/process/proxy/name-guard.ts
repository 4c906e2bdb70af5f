import { Transform } from 'node:stream'
import type { Target } from '../../../kernel/target.ts'
import { readServerName } from './server-name.ts'

/**
 * Lets a TLS client speak only to the host that it asked the proxy for: at an address that many hosts share,
 * the name in its hello would else reach any of them. `refuse` hears the other name.
 */
export function nameGuard({ host, isAddress }: Target, refuse: (name: string) => void): Transform {
  let held: Buffer | undefined = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (held === undefined) return done(null, chunk)
      held = Buffer.concat([held, chunk])
      const asked = readServerName(held)
      if (asked === 'more') return done()
      const bytes = held
      held = undefined
      if (asked === 'none' || (!isAddress && asked.name.toLowerCase().replace(/\.$/, '') === host))
        return done(null, bytes)
      refuse(asked.name)
      done(new Error('TLS for another name'))
    },
    flush(done) {
      done(null, held)
    },
  })
}
