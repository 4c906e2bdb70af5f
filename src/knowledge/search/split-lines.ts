/** Splits a text into lines without their line ends. */
export function splitLines(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at)
    const next = end < 0 ? bytes.length : end
    lines.push(bytes.subarray(at, next > at && bytes[next - 1] === 13 ? next - 1 : next))
    at = next + 1
  }
  return lines
}
