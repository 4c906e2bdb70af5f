import type { Comment, Node, Program } from 'oxc-parser'
import { ToolError } from '../../../kernel/error.ts'
import { show } from '../../../machine/workspace/path.ts'
import { childrenOf } from '../../../languages/javascript/scope.ts'
import { askParser, wordsForUnparsed } from '../../parser/ask-parser.ts'

interface ParsedModule {
  readonly program: Program
  readonly comments: readonly Comment[]
}

/** Parses a script or module in a separate process; for a component its scripts at their offsets. */
export async function parseModule(path: string, text: string): Promise<ParsedModule> {
  const reply = await askParser({ job: 'module', path, content: text })
  if ('value' in reply) return JSON.parse(String(reply.value))
  throw new ToolError('unavailable', `${show(path)} could not be parsed: ${wordsForUnparsed(reply.failed)}`, {
    hint: 'Change or leave out this file',
    details: { path },
  })
}

/** Visits every node below one, outer before inner; skips the children if `enter` returns false. */
export function walk(node: Node, enter: (node: Node) => boolean | void): void {
  if (enter(node) === false) return
  for (const child of childrenOf(node)) walk(child, enter)
}
