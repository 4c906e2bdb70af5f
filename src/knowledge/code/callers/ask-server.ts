import { ToolError } from '../../../kernel/error.ts'
import { show } from '../../../machine/workspace/path.ts'
import { createView } from '../../../machine/workspace/view.ts'
import type { CodeParts } from '../code-parts.ts'
import { visibleText } from '../visible-text.ts'
import { deadlineOf, within, type Deadline } from '../servers/deadline.ts'
import { stagedTexts } from '../servers/staged-texts.ts'
import { notVisible, invisibleStaged } from '../invisible-staged.ts'
import type { ServerClient } from '../servers/types.ts'
import type { CodeQuestion } from '../types.ts'
import { definingFile } from './defining-file.ts'
import { fileQueries, type FileQueries } from './file-queries.ts'
import { readRefused } from '../../../machine/workspace/read-refused.ts'

/** The server of a question, and the file in question. */
export interface ServerQuestion {
  readonly server: ServerClient
  readonly looks: FileQueries
  readonly path: string
  readonly deadline: Deadline
  /** The server's result may be incomplete. */
  readonly isPartial: boolean
}

/** Asks the server of the file in question. */
export async function askServer<T>(
  parts: CodeParts,
  question: CodeQuestion,
  work: (put: ServerQuestion) => Promise<T>,
): Promise<T> {
  const deadline = deadlineOf(question)
  const path = await fileOf(parts, question, deadline)
  const unseen = invisibleStaged(parts)
  if (unseen.includes(path)) throw notVisible(path)
  const stagingTexts = stagedTexts(parts.root, parts.staging)
  return parts.servers.ask(path, stagingTexts, deadline, server =>
    work({
      server,
      looks: fileQueries(server, file => textOf(parts, file)),
      path,
      deadline,
      isPartial: server.unknown > 0 || unseen.length > 0,
    }),
  )
}

/** The file in question; the index is searched if the question names none. */
export async function fileOf(
  parts: CodeParts,
  { name, path }: Pick<CodeQuestion, 'name' | 'path'>,
  deadline: Deadline,
): Promise<string> {
  return path === undefined ? within(deadline, definingFile(parts, name, deadline), notIndexed) : fileAt(parts, path)
}

export const notIndexed = (): ToolError =>
  new ToolError('timeout', 'The index was still being built when the time for this question was over', {
    hint: 'Give the file, or ask again: in a workspace process (toolwright up) the work continues',
  })

/** Returns the path of a file relative to the workspace. */
export function fileAt({ root, staging, mayRead }: CodeParts, path: string): string {
  const rel = createView(root, staging).look(path, {}, ({ located, type }) => {
    if (type === 'file') return located.rel
    if (type === 'absent') throw notThere(path)
    throw new ToolError('not_a_file', `${show(path)} is not a file`)
  })
  if (mayRead(rel)) return rel
  throw readRefused(path)
}

const notThere = (path: string): ToolError =>
  new ToolError('not_found', `${show(path)} does not exist`, { hint: 'List the directory to see what is there.' })

function textOf({ root, staging, mayRead }: CodeParts, path: string): string | undefined {
  return mayRead(path) ? visibleText(root, staging, path) : undefined
}
