import { isScriptFile } from '../../../../languages/registry.ts'
import { ToolError } from '../../../../kernel/error.ts'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import { parseOccurrences } from '../../../model/occurrences/parse-occurrences.ts'
import { rangeKey, type ServerEdit } from '../../servers/lsp-schemas.ts'
import type { ServerClient } from '../../servers/types.ts'
import type { Source } from '../../source.ts'
import { serverChanges, type Changes } from '../changes.ts'
import type { NamedPlace } from '../occurrences/occurrence.ts'
import type { ServedParts } from '../refactor-parts.ts'

/** A server's changes to rename everything declared at these places. */
export async function renamedChanges(parts: ServedParts, place: NamedPlace, name: string): Promise<Changes> {
  const { server } = parts
  if (!server.can('rename'))
    throw new ToolError('unavailable', `The language server '${server.name}' does not rename`, {
      hint: 'references lists every place; edit them by their text',
    })
  const edits = await followedRename(server, place, name)
  if (edits.length === 0)
    throw new ToolError('no_match', `'${place.name}' (${place.path}:${place.position.line + 1}) cannot be renamed`, {
      hint: `The language server '${server.name}' refuses to change its name`,
    })
  const changes = new Map<string, readonly Splice[]>()
  for (const [path, splices] of await serverChanges(parts, edits)) {
    if (splices.some(({ old }) => old !== place.old))
      throw new ToolError('conflict', `${path} does not have '${place.old}' where the language server sees it`, {
        hint: 'It may be in an encoding that the server does not read: convert it first, or edit it by its text',
      })
    changes.set(path, await withShorthands(parts.sources(path), splices, name))
  }
  return changes
}

/**
 * The edits of a rename through re-exports: a server keeps the exported name (`export { new as old }`), and is asked to
 * rename that too. Properties keep their names (`{ old: new }`).
 */
async function followedRename(
  server: ServerClient,
  { places, old }: NamedPlace,
  name: string,
): Promise<readonly ServerEdit[]> {
  const editByPlace = new Map<string, ServerEdit>()
  const queriedPlaces = new Set<string>()
  const open = [...places]
  for (let next = open.pop(); next; next = open.pop()) {
    const key = `${next.path} ${next.position.line}:${next.position.character}`
    if (queriedPlaces.has(key)) continue
    queriedPlaces.add(key)
    for (const edit of (await server.rename(next.path, next.position, name)) ?? []) {
      const at = `${edit.uri} ${rangeKey(edit.range)}`
      editByPlace.set(at, mergeEdits(editByPlace.get(at), edit))
      const file = server.pathOf(edit.uri)
      if (edit.text === `${name} as ${old}` && file !== undefined) open.push({ path: file, position: edit.range.start })
    }
  }
  return [...editByPlace.values()]

  /** Merges an edit that keeps the outer name with one that keeps the inner name into one that keeps neither. */
  function mergeEdits(before: ServerEdit | undefined, edit: ServerEdit): ServerEdit {
    if (!before || before.text === edit.text) return edit
    const both = new Set([before.text, edit.text])
    if (both.has(name) || (both.has(`${name} as ${old}`) && both.has(`${old} as ${name}`)))
      return { ...edit, text: name }
    throw new ToolError('unavailable', `The language server '${server.name}' returned conflicting edits`, {
      hint: 'Edit it by its text',
      details: { uri: edit.uri, texts: [...both] },
    })
  }
}

/**
 * Writes `{ old: value }` as `{ old }` if the value is renamed to `old`. This reverses a rename that turned `{ old }`
 * into `{ old: value }` to keep the property's name.
 */
async function withShorthands(source: Source, splices: readonly Splice[], name: string): Promise<readonly Splice[]> {
  if (!isScriptFile(source.path)) return splices
  const occurrences = (await parseOccurrences(source.path, source.text, name)) ?? []
  const keys = occurrences.filter(({ kind }) => kind === 'key').map(({ start }) => start)
  return splices.map(splice => {
    const isBefore = (key: number) => /^\s*:\s*$/.test(source.text.slice(key + name.length, splice.start))
    const key = splice.new === name ? keys.find(isBefore) : undefined
    return key === undefined ? splice : source.splice(key, splice.end, name)
  })
}
