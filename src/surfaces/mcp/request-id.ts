import type { RequestId } from '@modelcontextprotocol/server'

/** Returns the id for an answer to this message, or undefined if it has none. */
export function requestIdOf(message: unknown): RequestId | undefined {
  const { id, method }: { id?: unknown; method?: unknown } = Object(message)
  if (method === undefined) return undefined
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : undefined
}

/**
 * Returns the id of a request of which only both ends are known. Programs write it before or after the parameters. The
 * middle is ignored, because it may hold another id.
 */
export function idOfCut(beginning: string, end: string): RequestId | undefined {
  try {
    return requestIdOf({ ...membersIn(FIRST.exec(beginning)?.[1]), ...membersIn(LAST.exec(end)?.[1]) })
  } catch {
    // Looks like a text but is invalid.
    return undefined
  }
}

const STRING = String.raw`"(?:[^"\\]|\\.)*"`
const MEMBER = String.raw`\s*(${STRING})\s*:\s*(${STRING}|-?\d+)\s*`
/** The first members of an object, while their values are texts or numbers. */
const FIRST = new RegExp(String.raw`^\s*\{((?:${MEMBER},)*)`)
/** The last members: a single brace ends the message itself and nothing inside it. */
const LAST = new RegExp(String.raw`((?:,${MEMBER})+)\}\s*$`)

function membersIn(text = ''): object {
  const members = [...text.matchAll(new RegExp(MEMBER, 'g'))]
  return Object.fromEntries(members.map(([, name = '""', value = 'null']) => [JSON.parse(name), JSON.parse(value)]))
}
