import { ToolError } from '../../../../kernel/error.ts'
import { rangeKey, type ServerEdit } from '../../servers/lsp-words.ts'
import type { AskedServer } from '../../servers/types.ts'
import type { DeclaredAt } from '../occurrences/target.ts'

/**
 * The edits of a rename that goes through re-exports: a server keeps the name that others import (`export { new as old }`),
 * and is asked about that one too. Properties keep theirs (`{ old: new }`).
 */
export async function followedRename(
  server: AskedServer,
  places: readonly DeclaredAt[],
  old: string,
  name: string,
): Promise<readonly ServerEdit[]> {
  const found = new Map<string, ServerEdit>()
  const asked = new Set<string>()
  const open = [...places]
  for (let next = open.pop(); next; next = open.pop()) {
    const key = `${next.path} ${next.position.line}:${next.position.character}`
    if (asked.has(key)) continue
    asked.add(key)
    for (const edit of (await server.rename(next.path, next.position, name)) ?? []) {
      const at = `${edit.uri} ${rangeKey(edit.range)}`
      found.set(at, merged(found.get(at), edit))
      const file = server.pathOf(edit.uri)
      if (edit.text === `${name} as ${old}` && file !== undefined) open.push({ path: file, position: edit.range.start })
    }
  }
  return [...found.values()]

  /** What keeps the outer name and what keeps the inner one are together what keeps neither. */
  function merged(before: ServerEdit | undefined, edit: ServerEdit): ServerEdit {
    if (!before || before.text === edit.text) return edit
    const both = new Set([before.text, edit.text])
    if (both.has(name)) return { ...edit, text: name }
    if (both.has(`${name} as ${old}`) && both.has(`${old} as ${name}`)) return { ...edit, text: name }
    throw new ToolError('unavailable', `The language server '${server.name}' wants two things at one place`, {
      hint: 'Edit it by its text',
      details: { uri: edit.uri, texts: [...both] },
    })
  }
}
