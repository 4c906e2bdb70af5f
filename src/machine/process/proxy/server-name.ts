/** Server name in a TLS hello. `more`: the hello is incomplete. `none`: no name, or no TLS. */
type ServerName = { readonly name: string } | 'more' | 'none'

const HANDSHAKE = 22
const CLIENT_HELLO = 1
const SERVER_NAME = 0
const LONGEST_HELLO = 65_536

/** Reads the server name from the first bytes of a connection. */
export function readServerName(bytes: Buffer): ServerName {
  if (bytes.length === 0) return 'more'
  if (bytes[0] !== HANDSHAKE) return 'none'
  const hello = joinRecords(bytes)
  if (hello.length < 4) return bytes.length > LONGEST_HELLO ? 'none' : 'more'
  if (hello[0] !== CLIENT_HELLO) return 'none'
  const end = 4 + hello.readUIntBE(1, 3)
  if (end > LONGEST_HELLO) return 'none'
  if (hello.length < end) return bytes.length > LONGEST_HELLO ? 'none' : 'more'
  try {
    return nameIn(hello.subarray(0, end))
  } catch {
    return 'none'
  }
}

/** A hello may span several records. */
function joinRecords(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at + 5 <= bytes.length && bytes[at] === HANDSHAKE;) {
    const length = bytes.readUInt16BE(at + 3)
    parts.push(bytes.subarray(at + 5, at + 5 + length))
    at += 5 + length
  }
  return Buffer.concat(parts)
}

/** Skips version, random and three lists to reach the extensions. A false length throws. */
function nameIn(hello: Buffer): ServerName {
  let at = 4 + 2 + 32
  at += 1 + hello.readUInt8(at)
  at += 2 + hello.readUInt16BE(at)
  at += 1 + hello.readUInt8(at)
  if (at + 2 > hello.length) return 'none'
  const end = at + 2 + hello.readUInt16BE(at)
  at += 2
  while (at + 4 <= end) {
    const kind = hello.readUInt16BE(at)
    const length = hello.readUInt16BE(at + 2)
    // A list of one: its length, the kind of name, the length of the name.
    if (kind === SERVER_NAME) return { name: hello.toString('latin1', at + 9, at + 9 + hello.readUInt16BE(at + 7)) }
    at += 4 + length
  }
  return 'none'
}
