/** Decodes a source file: replaces invalid bytes, and drops a byte order mark. */
export function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return encoding === 'utf-8' ? UTF8.decode(bytes) : new TextDecoder(encoding).decode(bytes)
}

const UTF8 = new TextDecoder()
