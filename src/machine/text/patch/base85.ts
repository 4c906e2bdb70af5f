const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'
const DIGITS: ReadonlyMap<string, number> = new Map([...ALPHABET].map((digit, value) => [digit, value]))

const GROUP = 5
const BYTES = 4

/** Bytes in the base 85 of git's binary patches: five digits for four bytes. Undefined where a digit is none, or a group is too large. */
export function decodeBase85(text: string, length: number): Buffer | undefined {
  const groups = Math.ceil(length / BYTES)
  const bytes = Buffer.alloc(groups * BYTES)
  for (let group = 0; group < groups; group++) {
    let value = 0
    for (const digit of text.slice(group * GROUP, (group + 1) * GROUP)) {
      const worth = DIGITS.get(digit)
      if (worth === undefined) return undefined
      value = value * DIGITS.size + worth
    }
    if (value > 0xff_ff_ff_ff) return undefined
    bytes.writeUInt32BE(value, group * BYTES)
  }
  return bytes.subarray(0, length)
}
