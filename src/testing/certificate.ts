import { generateKeyPairSync, sign } from 'node:crypto'
import { isIP } from 'node:net'

interface Certificate {
  /** PEM; self-signed, so it is also the authority for a client. */
  readonly cert: string
  readonly key: string
}

/** Creates a self-signed certificate for these names and addresses, valid for today's tests. */
export function selfSigned(hosts: readonly string[], days: { from?: number; to?: number } = {}): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(oid('55 04 03'), derElement(0x0c, Buffer.from('toolwright test')))))
  const algorithm = sequence(oid('2a 86 48 ce 3d 04 03 02'))
  const names = sequence(...hosts.map(nameOf))
  const extensions = sequence(
    sequence(oid('55 1d 11'), derElement(0x04, names)),
    sequence(oid('55 1d 13'), derElement(0x04, sequence(derElement(0x01, Buffer.from([0xff]))))),
  )
  const body = sequence(
    derElement(0xa0, derElement(0x02, Buffer.from([2]))),
    derElement(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(days.from ?? -1), time(days.to ?? 2)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    derElement(0xa3, extensions),
  )
  const signature = sign('sha256', body, privateKey)
  const der = sequence(body, algorithm, derElement(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines =
    der
      .toString('base64')
      .match(/.{1,64}/g)
      ?.join('\n') ?? ''
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

const sequence = (...parts: readonly Buffer[]): Buffer => derElement(0x30, Buffer.concat(parts))
const set = (...parts: readonly Buffer[]): Buffer => derElement(0x31, Buffer.concat(parts))
const oid = (hex: string): Buffer => derElement(0x06, Buffer.from(hex.replaceAll(' ', ''), 'hex'))

function derElement(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function time(days: number): Buffer {
  const text = new Date(Date.now() + days * 86_400_000).toISOString().replace(/\D/g, '').slice(2, 14)
  return derElement(0x17, Buffer.from(`${text}Z`))
}

function nameOf(host: string): Buffer {
  if (isIP(host) === 0) return derElement(0x82, Buffer.from(host))
  if (isIP(host) === 4) return derElement(0x87, Buffer.from(host.split('.').map(Number)))
  const [head = '', tail = ''] = host.split('::')
  const groups = (text: string) =>
    text
      .split(':')
      .filter(Boolean)
      .map(word => Number.parseInt(word, 16))
  const [before, after] = [groups(head), groups(tail)]
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
  return derElement(0x87, Buffer.from(all.flatMap(group => [group >> 8, group & 0xff])))
}
