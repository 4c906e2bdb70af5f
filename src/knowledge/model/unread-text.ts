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

/** A file that could not be read. */
export const unreadText = (text: string): Unread => ({
  from: 1,
  to: text.split('\n').length,
  ...mentionedIn(text, 0, text.length),
})
