/** The text of a source file; bytes that are none become replacement characters, and a byte order mark is no part of it. */
export function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return encoding === 'utf-8' ? UTF8.decode(bytes) : new TextDecoder(encoding).decode(bytes)
}

const UTF8 = new TextDecoder()
