/** Returns an IPv4 address as its number; undefined for anything but four plain decimal parts. */
export function ipv4Number(text: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1)
  if (!parts || parts.some(part => Number(part) > 255 || (part.length > 1 && part.startsWith('0')))) return undefined
  return parts.reduce((number, part) => number * 256 + Number(part), 0)
}

/** Returns an IPv6 address as its eight groups; undefined for anything else, including an address with a zone. */
export function ipv6Groups(text: string): readonly number[] | undefined {
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
