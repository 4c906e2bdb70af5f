import type { Unread } from './file-model.ts'
import { mayDeclare } from './may-declare.ts'

const NAME = /[\p{L}_][\p{L}\p{N}_]*/gu

/** The names in a stretch of a text, and those that may be declared there. */
export function mentionedIn(text: string, start: number, end: number): Pick<Unread, 'mentions' | 'declares'> {
  const [mentions, declares] = [new Set<string>(), new Set<string>()]
  for (const { 0: name, index } of text.slice(start, end).matchAll(NAME)) {
    mentions.add(name)
    const from = start + index
    if (!declares.has(name) && mayDeclare(text, from, from + name.length)) declares.add(name)
  }
  return { mentions: [...mentions], declares: [...declares] }
}

/** Names in stretches of a text that do not parse: any of them may be declared there. */
export function lostNames(
  text: string,
  stretches: readonly { readonly start: number; readonly end: number }[],
): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { start, end } of stretches)
    for (const [name] of text.slice(start, end).matchAll(SPELLED)) if (!KEYWORDS.has(name)) names.add(name)
  return names
}

const SPELLED = /[\p{L}_$][\p{L}\p{N}_$]*/gu
/** Not the name of a symbol in any language, and in nearly every file. */
const KEYWORDS = new Set(
  `class const def else enum export extends false for func function if import in interface let module null package private
  protected public return self static struct switch this true type var void while`.split(/\s+/),
)

/** A file that could not be read. */
export const unreadText = (text: string): Unread => ({
  from: 1,
  to: text.split('\n').length,
  ...mentionedIn(text, 0, text.length),
})
