import { ToolError } from '../../../kernel/error.ts'
import { languageOf } from '../../model/languages.ts'
import type { CodeParts } from '../code-parts.ts'
import type { ServerEdit } from '../servers/lsp-words.ts'

const SHOWN = 10

/** The edits by file of the workspace; refuses all of them, and names which, where one is in a file that must stay as it is. */
export async function touchable(
  parts: Pick<CodeParts, 'mayRead' | 'index'>,
  pathOf: (uri: string) => string | undefined,
  edits: readonly ServerEdit[],
): Promise<ReadonlyMap<string, readonly ServerEdit[]>> {
  const files = new Map<string, ServerEdit[]>()
  const outside = new Set<string>()
  for (const edit of edits) {
    const path = pathOf(edit.uri)
    if (path === undefined) outside.add(edit.uri)
    else files.set(path, [...(files.get(path) ?? []), edit])
  }
  if (outside.size > 0)
    throw new ToolError(
      'outside_workspace',
      `Files outside the workspace would have to change: ${listed([...outside])}`,
      {
        hint: 'Nothing was changed. Open a workspace that holds all of them',
      },
    )
  await demandTouchable(parts, files.keys())
  return files
}

/** Refuses, and names which, where one of the files must stay as it is. */
export async function demandTouchable(
  parts: Pick<CodeParts, 'mayRead' | 'index'>,
  paths: Iterable<string>,
): Promise<void> {
  const refused: string[] = []
  for (const path of paths) {
    const why = await untouchable(parts, path)
    if (why !== undefined) refused.push(`${path} (${why})`)
  }
  if (refused.length > 0)
    throw new ToolError('denied', `Files that must stay as they are would have to change: ${listed(refused)}`, {
      hint: 'Nothing was changed. Make the change by hand where it is wanted',
      details: { paths: refused },
    })
}

async function untouchable({ mayRead, index }: Pick<CodeParts, 'mayRead' | 'index'>, path: string) {
  if (/(^|\/)node_modules\//.test(path)) return 'it is of a package that is installed'
  if (!mayRead(path)) return 'it may not be read'
  if (languageOf(path) === undefined) return undefined
  const { files } = await index.query({ by: 'prefix', value: path }, { limit: 1 })
  return files[0]?.path === path ? undefined : 'an ignore file names it'
}

const listed = (names: readonly string[]): string =>
  names
    .slice(0, SHOWN)
    .join(', ')
    .concat(names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '')
