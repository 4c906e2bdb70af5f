import { ToolError } from '../../../../kernel/error.ts'
import type { AskedServer } from '../../servers/types.ts'
import type { Sources } from '../../source.ts'

/** The file that a file means by the name of a module, whose quote stands at a place. */
export async function moduleAt(
  server: Pick<AskedServer, 'definition' | 'pathOf'>,
  sources: Sources,
  from: string,
  quote: number,
): Promise<string | undefined> {
  const found = await server.definition(from, sources(from).positionOf(quote + 1))
  const paths = new Set(found.map(({ uri }) => server.pathOf(uri)))
  if (paths.size > 1)
    throw new ToolError('unavailable', `An import of ${from} means several files`, { hint: 'Edit by text' })
  return [...paths][0]
}
