import type { Node } from 'web-tree-sitter'
import type { FileModel, Unread } from '../file-model.ts'
import { mentionedIn } from '../unread-text.ts'
import { linesOf } from './places.ts'
import { errorsIn } from './parse-text.ts'

/** The stretches of a file whose code nobody could make out, with the names that are written there, and where that begins. */
export function unreadIn(root: Node, text: string): Pick<FileModel, 'unread' | 'error'> {
  const errors = errorsIn(root)
  const [first] = errors
  if (!first) return {}
  const lost = errors.filter(({ startIndex, endIndex }) => /\w/.test(text.slice(startIndex, endIndex)))
  const message = first.isMissing ? `Missing ${first.type}` : 'This does not parse'
  return {
    ...(lost.length > 0 && { unread: lost.map((error): Unread => stretchOf(error, text)) }),
    error: { at: first.startIndex, message },
  }
}

const stretchOf = (node: Node, text: string): Unread => ({
  ...linesOf(node),
  ...mentionedIn(text, node.startIndex, node.endIndex),
})
