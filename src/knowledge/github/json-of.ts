/** Parses bytes as JSON. Returns undefined for anything else, such as a proxy's page. */
export function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
