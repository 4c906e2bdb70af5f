/** Returns an IPv4 address as its number; undefined for anything but four plain decimal parts. */
function ipv4Number(text: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1)
  if (!parts || parts.some(part => Number(part) > 255 || (part.length > 1 && part.startsWith('0')))) return undefined
  return parts.reduce((number, part) => number * 256 + Number(part), 0)
}

/** Returns an IPv6 address as its eight groups; undefined for anything else, including an address with a zone. */
function ipv6Groups(text: string): readonly number[] | undefined {
  const [head = '', tail, more] = text.split('::')
  if (more !== undefined) return undefined
  const before = groupsOf(head, tail === undefined)
  const after = tail === undefined ? [] : groupsOf(tail, true)
  if (!before || !after) return undefined
  const missing = 8 - before.length - after.length
  if (tail === undefined) return missing === 0 ? before : undefined
  return missing < 1 ? undefined : [...before, ...Array<number>(missing).fill(0), ...after]
}

/** An IPv4 address may replace the last two groups. */
function groupsOf(text: string, isEnd: boolean): readonly number[] | undefined {
  if (text === '') return []
  const words = text.split(':')
  const groups: number[] = []
  for (const [at, word] of words.entries()) {
    const ipv4 = isEnd && at === words.length - 1 ? ipv4Number(word) : undefined
    if (ipv4 !== undefined) groups.push(ipv4 >>> 16, ipv4 & 0xffff)
    else if (/^[0-9a-f]{1,4}$/i.test(word)) groups.push(Number.parseInt(word, 16))
    else return undefined
  }
  return groups
}

/** Returns the kind of a non-public address, or of a text that is no address; undefined for a public one. */
export function whyNotGlobal(ip: string): string | undefined {
  const v4 = ipv4Number(ip)
  if (v4 !== undefined) return reservedV4(v4)
  const groups = ipv6Groups(ip)
  return groups ? reservedV6(groups) : 'not an address'
}

/** The special-purpose registry of IANA, and one address of a cloud provider inside public space. */
const RESERVED_V4: readonly (readonly [network: string, bits: number, kind: string])[] = [
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared by a carrier'],
  ['127.0.0.0', 8, 'loopback'],
  ['168.63.129.16', 32, 'cloud metadata'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'for documentation'],
  ['192.88.99.0', 24, 'a relay'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'for benchmarks'],
  ['198.51.100.0', 24, 'for documentation'],
  ['203.0.113.0', 24, 'for documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
]

const blocksV4 = RESERVED_V4.map(([network, bits, kind]) => {
  const size = 2 ** (32 - bits)
  const first = ipv4Number(network) ?? 0
  return { first, last: first + size - 1, kind }
})

const reservedV4 = (number: number): string | undefined =>
  blocksV4.find(({ first, last }) => number >= first && number <= last)?.kind

/** Inside 2000::/3, the only space assigned to the public internet. */
const RESERVED_V6: readonly (readonly [groups: readonly number[], bits: number, kind: string])[] = [
  // Teredo, benchmarks, ORCHID and the other protocol assignments.
  [[0x2001, 0], 23, 'reserved'],
  [[0x2001, 0xdb8], 32, 'for documentation'],
  [[0x2002], 16, 'a relay'],
  [[0x3fff], 20, 'for documentation'],
]

function reservedV6(groups: readonly number[]): string | undefined {
  const ipv4 = ((groups[6] ?? 0) * 0x10000 + (groups[7] ?? 0)) >>> 0
  // A connection to a mapped or translated address reaches the IPv4 address inside.
  if (begins(groups, [0, 0, 0, 0, 0, 0xffff], 96) || begins(groups, [0x64, 0xff9b, 0, 0, 0, 0], 96))
    return reservedV4(ipv4)
  if (!begins(groups, [0x2000], 3)) return kindOutside(groups)
  const isatap = groups[5] === 0x5efe && ((groups[4] ?? 0) & 0xfdff) === 0
  return (
    RESERVED_V6.find(([network, bits]) => begins(groups, network, bits))?.[2] ?? (isatap ? reservedV4(ipv4) : undefined)
  )
}

function kindOutside(groups: readonly number[]): string {
  if (groups.slice(0, 7).every(group => group === 0)) return groups[7] === 1 ? 'loopback' : 'unspecified'
  if (begins(groups, [0xfc00], 7)) return 'private'
  if (begins(groups, [0xfe80], 10)) return 'link-local'
  return begins(groups, [0xff00], 8) ? 'multicast' : 'reserved'
}

function begins(groups: readonly number[], network: readonly number[], bits: number): boolean {
  for (let at = 0; at * 16 < bits; at++) {
    const rest = Math.min(16, bits - at * 16)
    if (((groups[at] ?? 0) ^ (network[at] ?? 0)) >>> (16 - rest) !== 0) return false
  }
  return true
}
