import type { RequestId } from '@modelcontextprotocol/server'

/** The id that an answer to something can have; undefined if it has none. */
export function requestIdOf(message: unknown): RequestId | undefined {
  const { id, method }: { id?: unknown; method?: unknown } = Object(message)
  if (typeof method !== 'string') return undefined
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : undefined
}

/**
 * The id of a request of which only the beginning and the end are known. Programs write it before the parameters or after
 * them; what stands between is not looked at, since it may hold another.
 */
export function idOfCut(beginning: string, end: string): RequestId | undefined {
  try {
    return requestIdOf({ ...membersIn(FIRST.exec(beginning)?.[1]), ...membersIn(LAST.exec(end)?.[1]) })
  } catch {
    // What looks like a text and is none.
    return undefined
  }
}

const STRING = String.raw`"(?:[^"\\]|\\.)*"`
const MEMBER = String.raw`\s*(${STRING})\s*:\s*(${STRING}|-?\d+)\s*`
/** The first members of an object, as long as their values are texts or numbers. */
const FIRST = new RegExp(String.raw`^\s*\{((?:${MEMBER},)*)`)
/** The last ones: one brace alone ends the message itself, and nothing inside it. */
const LAST = new RegExp(String.raw`((?:,${MEMBER})+)\}\s*$`)

function membersIn(text = ''): object {
  const members = [...text.matchAll(new RegExp(MEMBER, 'g'))]
  return Object.fromEntries(members.map(([, name = '""', value = 'null']) => [JSON.parse(name), JSON.parse(value)]))
}
