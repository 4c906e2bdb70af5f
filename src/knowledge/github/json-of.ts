/** What bytes say as JSON; undefined if they are something else, such as a page of a proxy. */
export function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
