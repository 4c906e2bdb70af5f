import { ToolError } from '../../../../kernel/error.ts'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import { show } from '../../../../machine/workspace/path.ts'
import { createView } from '../../../../machine/workspace/view.ts'
import { isScript } from '../../callers/required/script-requests.ts'
import { fileAt } from '../../callers/put-question.ts'
import type { CodeParts } from '../../code-parts.ts'
import { deadlineOf } from '../../servers/deadline.ts'
import { stagedTexts } from '../../servers/staged-texts.ts'
import type { FileEdit, Refactoring, RefactorQuestion } from '../../types.ts'
import { demandSeen } from '../demand-seen.ts'
import { importersAround } from '../importers-around.ts'
import { sourcesOf, stretchOf } from '../../source.ts'
import type { Stretch } from '../../../model/syntax/syntax-file.ts'
import { demandTouchable, touchable } from '../touchable.ts'
import { pathOccurrences } from '../occurrences/path-occurrences.ts'
import { settle } from '../occurrences/settle.ts'
import { calledModules, CALLS_MODULES } from './called-modules.ts'

/** A file at another place, with its own imports and everybody's imports of it following. */
export async function moveFile(parts: CodeParts, question: RefactorQuestion): Promise<Refactoring> {
  const path = fileAt(parts, question.path ?? '')
  const to = freePath(parts, question.to ?? '')
  demandSeen(parts)
  const deadline = deadlineOf(question)
  const staged = stagedTexts(parts.root, parts.staging)
  const sources = sourcesOf(parts)
  const { changes, basis, unknown } = await parts.servers.ask(path, staged, deadline, async server => {
    const asked = await server.movedFile(path, to)
    if (!asked)
      throw new ToolError(
        'unavailable',
        `The language server '${server.name}' does not say what a moved file changes`,
        {
          hint: 'Move the file with move, and edit its importers',
        },
      )
    const changed = new Map<string, Splice[]>()
    for (const [file, edits] of await touchable(parts, server.pathOf, asked))
      changed.set(
        file,
        edits.map(({ range, text }) => {
          const { start, end } = stretchOf(sources(file), range)
          return sources(file).splice(start, end, text)
        }),
      )
    const named = isScript(path)
      ? [path, ...(await importersAround(parts, path, { reach: 'direct', deadline, only: CALLS_MODULES }))]
      : []
    for (const file of named) {
      const known = changed.get(file) ?? []
      const isNew = (each: Stretch) => !known.some(one => one.start < each.end && each.start < one.end)
      const more = (await calledModules(sources(file), path, to)).filter(isNew)
      if (more.length > 0) changed.set(file, [...known, ...more])
    }
    return { changes: changed, unknown: server.unknown, basis: { by: 'server', server: server.name } as const }
  })
  const isChanged = (file: string, start: number) =>
    changes.get(file)?.some(each => each.start <= start && each.end > start) ?? false
  const found = await pathOccurrences(parts, sources, path, { to, deadline, isChanged })
  const { included, occurrences } = settle(sources, path, found, question)
  for (const [file, splices] of included) changes.set(file, [...(changes.get(file) ?? []), ...splices])
  await demandTouchable(parts, changes.keys())
  const edits = [...changes].map(([file, splices]): FileEdit => ({ kind: 'change', path: file, splices }))
  return {
    target: { name: path, path, line: 1 },
    edits: [...edits.toSorted((one, other) => (one.path < other.path ? -1 : 1)), { kind: 'move', path, to }],
    basis,
    warnings: unknown > 0 ? [`${unknown} files of no project were not looked at`] : [],
    occurrences,
  }
}

/** A place of the workspace where nothing is. */
export function freePath({ root, staging }: Pick<CodeParts, 'root' | 'staging'>, path: string): string {
  return createView(root, staging).look(path, {}, ({ located, type }) => {
    if (type === 'absent') return located.rel
    throw new ToolError('exists', `${show(path)} is there already`, {
      hint: 'Choose another place, or delete it first',
    })
  })
}
