import { languageOf } from '../../../languages/registry.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { Splice } from '../../../machine/text/edit/splice-text.ts'
import type { ServerEdit } from '../servers/lsp-schemas.ts'
import { stretchOf } from '../source.ts'
import type { FileEdit } from '../types.ts'
import type { RefactorParts, ServedParts } from './refactor-parts.ts'

/** Changes by file. */
export type Changes = ReadonlyMap<string, readonly Splice[]>

export function joinChanges(one: Changes, other: Changes): Changes {
  const all = new Map(one)
  for (const [path, splices] of other) all.set(path, [...(all.get(path) ?? []), ...splices])
  return all
}

/** Changes and other edits, sorted by path. */
export const editsOf = (changes: Changes, ...others: readonly FileEdit[]): readonly FileEdit[] =>
  [...[...changes].map(([path, splices]): FileEdit => ({ kind: 'change', path, splices })), ...others].toSorted(
    (one, other) => (one.path < other.path ? -1 : 1),
  )

export const isChangedIn =
  (changes: Changes) =>
  (path: string, start: number): boolean =>
    changes.get(path)?.some(each => each.start <= start && each.end > start) ?? false

/** A server's edits by workspace file. Refuses all of them if one is in a file that must not change. */
export async function serverChanges(parts: ServedParts, edits: readonly ServerEdit[]): Promise<Changes> {
  const files = Map.groupBy(edits, ({ uri }) => parts.server.pathOf(uri))
  const outside = files.get(undefined)
  if (outside)
    throw new ToolError(
      'outside_workspace',
      `Files outside the workspace would have to change: ${listNames([...new Set(outside.map(({ uri }) => uri))])}`,
      { hint: 'Nothing was changed. Open a workspace that holds all of them' },
    )
  const inside = [...files].flatMap(([path, some]) => (path === undefined ? [] : [[path, some] as const]))
  await ensureTouchable(
    parts,
    inside.map(([path]) => path),
  )
  return new Map(
    inside.map(([path, some]) => {
      const source = parts.sources(path)
      const splices = some.map(({ range, text }) => {
        const { start, end } = stretchOf(source, range)
        return source.splice(start, end, text)
      })
      return [path, splices]
    }),
  )
}

/** Refuses, with their names, if some of the files must not change. */
export async function ensureTouchable(parts: RefactorParts, paths: Iterable<string>): Promise<void> {
  const refusals: string[] = []
  for (const path of paths) {
    const why = await untouchable(parts, path)
    if (why !== undefined) refusals.push(`${path} (${why})`)
  }
  if (refusals.length > 0)
    throw new ToolError('denied', `This would change files that must stay unchanged: ${listNames(refusals)}`, {
      hint: 'Nothing was changed. Make the change by hand where it is wanted',
      details: { paths: refusals },
    })
}

async function untouchable({ mayRead, index }: RefactorParts, path: string): Promise<string | undefined> {
  if (/(^|\/)node_modules\//.test(path)) return 'it is of a package that is installed'
  if (!mayRead(path)) return 'it may not be read'
  if (languageOf(path) === undefined) return undefined
  const { files } = await index.query({ by: 'prefix', value: path }, { limit: 1 })
  return files[0]?.path === path ? undefined : 'an ignore file names it'
}

const SHOWN = 10

/** The first of some names, and the number of the others. */
export const listNames = (names: readonly string[]): string =>
  names.slice(0, SHOWN).join(', ') + (names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '')
