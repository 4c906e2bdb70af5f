/** Returns bytes with a UTF-16 mark as UTF-8, without the mark; undefined for any others. */
export function utf16Text(bytes: Buffer): Buffer | undefined {
  const encoding = ENCODINGS.find(({ mark }) => bytes.subarray(0, 2).equals(mark))?.name
  // The four bytes of a UTF-32 mark begin with the same two.
  if (encoding === undefined || bytes.subarray(2, 4).equals(Buffer.alloc(2))) return undefined
  try {
    return Buffer.from(new TextDecoder(encoding, { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

const ENCODINGS = [
  { name: 'utf-16le', mark: Buffer.from([0xff, 0xfe]) },
  { name: 'utf-16be', mark: Buffer.from([0xfe, 0xff]) },
]
