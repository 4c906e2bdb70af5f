const SHORTEST = 4
const LONGEST_COPY = 0x1_00_00

/** Returns the result size of a delta, or undefined if it is unreadable. */
export const deltaResultSize = (delta: Buffer): number | undefined => headerOf(delta)?.result

/** Applies a git delta: pieces of the source and new bytes, in order. Returns undefined if it does not fit. */
export function applyDelta(source: Buffer, delta: Buffer): Buffer | undefined {
  const header = headerOf(delta)
  if (header === undefined || header.source !== source.length) return undefined
  const result = Buffer.alloc(header.result)
  let [at, filledBytes] = [header.length, 0]
  while (at < delta.length) {
    const command = delta[at++] ?? 0
    if ((command & 0x80) === 0) {
      if (command === 0 || command > result.length - filledBytes || command > delta.length - at) return undefined
      filledBytes += delta.copy(result, filledBytes, at, at + command)
      at += command
      continue
    }
    const copy = readCopy(delta, at, command)
    if (copy === undefined) return undefined
    const { offset, size, next } = copy
    if (offset + size > source.length || size > result.length - filledBytes) return undefined
    filledBytes += source.copy(result, filledBytes, offset, offset + size)
    at = next
  }
  return filledBytes === result.length ? result : undefined
}

/** The command's bits say which of four offset bytes and three size bytes follow. */
function readCopy(delta: Buffer, start: number, command: number) {
  let [offset, size, next] = [0, 0, start]
  for (let bit = 0; bit < 7; bit++) {
    if ((command & (1 << bit)) === 0) continue
    const byte = delta[next++]
    if (byte === undefined) return undefined
    if (bit < 4) offset += byte * 2 ** (8 * bit)
    else size += byte * 2 ** (8 * (bit - 4))
  }
  return { offset, size: size === 0 ? LONGEST_COPY : size, next }
}

function headerOf(
  delta: Buffer,
): { readonly source: number; readonly result: number; readonly length: number } | undefined {
  if (delta.length < SHORTEST) return undefined
  const source = readSize(delta, 0)
  const result = source && readSize(delta, source.next)
  return result && { source: source.size, result: result.size, length: result.next }
}

/** Seven bits per byte, lowest first. */
function readSize(delta: Buffer, start: number): { readonly size: number; readonly next: number } | undefined {
  let size = 0
  for (let at = start; at < delta.length && at - start < 7; at++) {
    const byte = delta[at] ?? 0
    size += (byte & 0x7f) * 2 ** (7 * (at - start))
    if ((byte & 0x80) === 0) return { size, next: at + 1 }
  }
  return undefined
}
