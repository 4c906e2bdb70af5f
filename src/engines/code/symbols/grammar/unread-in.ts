import type { Node } from 'web-tree-sitter'
import { errorsIn } from '../../../index/facts/grammar/parse-text.ts'
import type { Unread } from '../file-code.ts'
import { mayDeclare } from './may-declare.ts'

/** The stretches of a file whose code nobody could make out, with the names that are written there. */
export function unreadIn(root: Node, text: string): { readonly unread?: readonly Unread[] } {
  const lost = errorsIn(root).filter(({ startIndex, endIndex }) => /\w/.test(text.slice(startIndex, endIndex)))
  return lost.length > 0 ? { unread: lost.map(error => stretchOf(error, text)) } : {}
}

const NAME = /[\p{L}_][\p{L}\p{N}_]*/gu

function stretchOf({ startIndex, endIndex, startPosition, endPosition }: Node, text: string): Unread {
  const [mentions, declares] = [new Set<string>(), new Set<string>()]
  for (const { 0: name, index } of text.slice(startIndex, endIndex).matchAll(NAME)) {
    mentions.add(name)
    const from = startIndex + index
    if (mayDeclare(text, from, from + name.length)) declares.add(name)
  }
  return {
    from: startPosition.row + 1,
    to: endPosition.row + (endPosition.column === 0 && endPosition.row > startPosition.row ? 0 : 1),
    mentions: [...mentions],
    declares: [...declares],
  }
}
