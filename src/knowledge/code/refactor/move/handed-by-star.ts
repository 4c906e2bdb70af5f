import type { CodeParts } from '../../code-parts.ts'
import type { Deadline } from '../../servers/deadline.ts'
import type { AskedServer } from '../../servers/types.ts'
import { importersAround } from '../importers-around.ts'
import type { Sources } from '../../source.ts'
import { moduleFile } from './module-file.ts'
import { moduleAt } from './module-at.ts'

/** Whether a module hands on whatever a file exports (`export *`), and not what the other one does that something moves to. */
export async function isHandedByStar(
  parts: CodeParts,
  sources: Sources,
  { path, to }: { readonly path: string; readonly to: string },
  server: AskedServer,
  deadline: Deadline,
): Promise<boolean> {
  for (const from of await importersAround(parts, path, { reach: 'direct', deadline, only: STAR })) {
    if (from === to) continue
    const modules = new Set<string | undefined>()
    for (const statement of (await moduleFile(sources(from))).program.body)
      if (statement.type === 'ExportAllDeclaration')
        modules.add(await moduleAt(server, sources, from, statement.source.start))
    if (modules.has(path) && !modules.has(to)) return true
  }
  return false
}

const STAR = /\bexport\s*(?:type\s*)?\*/
