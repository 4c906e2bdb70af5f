import { isScriptFile } from '../../../../languages/registry.ts'
import { ToolError } from '../../../../kernel/error.ts'
import { show } from '../../../../machine/workspace/path.ts'
import { createView } from '../../../../machine/workspace/view.ts'
import type { Stretch } from '../../../../languages/file-model/syntax-file.ts'
import { fileAt } from '../../callers/ask-server.ts'
import type { Refactoring, RefactorQuestion } from '../../types.ts'
import { ensureTouchable, editsOf, isChangedIn, joinChanges, serverChanges, type Changes } from '../changes.ts'
import { importersAround } from '../importers-around.ts'
import { pathOccurrences } from '../occurrences/path-occurrences.ts'
import { settle } from '../occurrences/settle.ts'
import { ensureSeen, type RefactorParts, type ServedParts } from '../refactor-parts.ts'
import { CALLS_MODULES, followedCalls } from './called-modules.ts'
import { ownPlaces } from './own-place.ts'

/** Moves a file, and updates its own imports and all imports of it. */
export async function moveFile(parts: RefactorParts, question: RefactorQuestion): Promise<Refactoring> {
  const path = fileAt(parts, question.path ?? '')
  const to = freePath(parts, question.to ?? '')
  ensureSeen(parts)
  const { followed, server, unknown } = await parts.ask(path, async served => ({
    followed: await followedChanges(served, path, to),
    server: served.server.name,
    unknown: served.server.unknown,
  }))
  const pathPlaces = [
    ...(await ownPlaces(parts, path, to)),
    ...(await pathOccurrences(parts, path, to, isChangedIn(followed))),
  ]
  const { included, occurrences } = settle(parts, path, pathPlaces, question)
  const changes = joinChanges(followed, included)
  await ensureTouchable(parts, changes.keys())
  return {
    target: { name: path, path, line: 1 },
    edits: [...editsOf(changes), { kind: 'move', path, to }],
    basis: { by: 'server', server },
    warnings: unknown > 0 ? [`${unknown} files of no project were not looked at`] : [],
    occurrences,
  }
}

async function followedChanges(parts: ServedParts, path: string, to: string): Promise<Changes> {
  const { server } = parts
  const edits = await server.movedFile(path, to)
  if (!edits)
    throw new ToolError('unavailable', `The language server '${server.name}' does not support moving files`, {
      hint: 'Move the file with move, and edit its importers',
    })
  let changes = await serverChanges(parts, edits)
  if (!isScriptFile(path)) return changes
  for (const file of [path, ...(await importersAround(parts, path, 'direct', CALLS_MODULES))]) {
    const existingChanges = changes.get(file) ?? []
    const isNew = (each: Stretch) => !existingChanges.some(one => one.start < each.end && each.start < one.end)
    const more = (await followedCalls(parts.sources(file), path, to)).filter(isNew)
    if (more.length > 0) changes = joinChanges(changes, new Map([[file, more]]))
  }
  return changes
}

/** Returns the target path. Refuses one that exists. */
function freePath({ root, staging }: RefactorParts, path: string): string {
  return createView(root, staging).look(path, {}, ({ located, type }) => {
    if (type === 'absent') return located.rel
    throw new ToolError('exists', `${show(path)} is there already`, {
      hint: 'Choose another place, or delete it first',
    })
  })
}
