import { symbolAt, type Found } from '../graph/resolve/project.ts'
import type { Reference, Value } from '../symbols/file-code.ts'
import type { Meanings } from './meaning.ts'
import { fits, type Where } from './meaning-words.ts'

/** Whether a call that means nothing that is known may mean one of these, as nobody says what it is called on. */
export function mayMean(
  meanings: Meanings,
  { value, count = -1 }: Reference,
  wanted: readonly Found[],
  where: Where,
): boolean {
  return membersIn(value).some(
    ([, of, name]) =>
      wanted.some(each => isMember(each, name) && fits(each, count)) && meanings.held(of, where).length === 0,
  )
}

function membersIn(value: Value): readonly Extract<Value, readonly ['member', ...unknown[]]>[] {
  if (value[0] === 'member') return [value]
  return value[0] === 'either' ? value.slice(1).flatMap(each => membersIn(each as Value)) : []
}

/** Whether it is called on something, by this name. */
function isMember(at: Found, name: string): boolean {
  const symbol = symbolAt(at)
  return symbol?.name === name && (symbol.kind === 'method' || symbol.receiver !== undefined)
}
