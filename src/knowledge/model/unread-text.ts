import type { Unread } from './file-model.ts'
import { mayDeclare } from './grammar/may-declare.ts'

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

/** Names that may be declared in stretches of a text that do not parse, besides those that were found all the same. */
export function lostNames(
  text: string,
  stretches: readonly { readonly start: number; readonly end: number }[],
  found: readonly { readonly name: string }[],
): { readonly lost?: readonly string[] } {
  if (stretches.length === 0) return {}
  const names = new Set(stretches.flatMap(({ start, end }) => mentionedIn(text, start, end).declares))
  for (const { name } of found) names.delete(name)
  return names.size > 0 ? { lost: [...names] } : {}
}

/** A file that could not be read. */
export const unreadText = (text: string): Unread => ({
  from: 1,
  to: text.split('\n').length,
  ...mentionedIn(text, 0, text.length),
})
