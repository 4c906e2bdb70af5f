import { ToolError } from '../../../../kernel/error.ts'
import { show } from '../../../workspace/path.ts'
import { createView } from '../../../workspace/view.ts'
import { fileAt } from '../../callers/put-question.ts'
import type { CodeParts } from '../../code-parts.ts'
import { deadlineIn } from '../../servers/deadline.ts'
import { stagedTexts } from '../../servers/staged-texts.ts'
import type { FileEdit, Refactoring, RefactorQuestion } from '../../types.ts'
import { demandSeen } from '../demand-seen.ts'
import { sourcesOf, stretchOf } from '../source.ts'
import { touchable } from '../touchable.ts'

/** A file at another place, with its own imports and everybody's imports of it following. */
export async function moveFile(parts: CodeParts, question: RefactorQuestion): Promise<Refactoring> {
  const path = fileAt(parts, question.path ?? '')
  const to = freePath(parts, question.to ?? '')
  demandSeen(parts)
  const deadline = deadlineIn(question.deadlineMs, question.signal)
  const staged = stagedTexts(parts.root, parts.staging)
  const sources = sourcesOf(parts)
  return parts.servers.ask(path, staged, deadline, async server => {
    const asked = await server.movedFile(path, to)
    if (!asked)
      throw new ToolError(
        'unavailable',
        `The language server '${server.name}' does not say what a moved file changes`,
        {
          hint: 'Move the file with move, and edit its importers',
        },
      )
    const files = await touchable(parts, server.pathOf, asked)
    const changes = [...files].map(([file, edits]): FileEdit => {
      const source = sources(file)
      const splices = edits.map(({ range, text }) => {
        const { start, end } = stretchOf(source, range)
        return source.splice(start, end, text)
      })
      return { kind: 'change', path: file, splices }
    })
    return {
      target: { name: path, path, line: 1 },
      edits: [...changes.toSorted((one, other) => (one.path < other.path ? -1 : 1)), { kind: 'move', path, to }],
      basis: { by: 'server', server: server.name },
      warnings: server.unknown > 0 ? [`${server.unknown} files of no project were not looked at`] : [],
    }
  })
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
