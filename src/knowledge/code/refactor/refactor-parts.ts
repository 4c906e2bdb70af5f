import { languageAt } from '../../../languages/registry.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { CodeParts } from '../code-parts.ts'
import { deadlineOf, type Deadline } from '../servers/deadline.ts'
import { stagedTexts, type StagedTexts } from '../servers/staged-texts.ts'
import type { ServerClient } from '../servers/types.ts'
import { sourcesOf, type Sources } from '../source.ts'
import type { RefactorQuestion } from '../types.ts'
import { notVisible, invisibleStaged } from '../invisible-staged.ts'

/** Importers by file. */
export type Importers = ReadonlyMap<string, readonly string[]>

/** The context of a refactoring: the workspace as staged, each file read once, within the question's time. */
export interface RefactorParts extends CodeParts {
  readonly sources: Sources
  readonly deadline: Deadline
  readonly staged: StagedTexts
  /** Asks the server of a file about the workspace as staged, or about these texts. */
  ask<T>(path: string, work: Work<T>, texts?: StagedTexts): Promise<T>
  /** The import graph, once needed. */
  readonly links: { importers?: Promise<Importers> }
}

/** The parts while a server is asked. */
export interface ServedParts extends RefactorParts {
  readonly server: ServerClient
}

type Work<T> = (parts: ServedParts) => Promise<T>

export function refactorParts(parts: CodeParts, question: RefactorQuestion): RefactorParts {
  const deadline = deadlineOf(question)
  const stagingTexts = stagedTexts(parts.root, parts.staging)
  const all: RefactorParts = {
    ...parts,
    sources: sourcesOf(parts),
    deadline,
    staged: stagingTexts,
    links: {},
    ask: (path, work, texts = stagingTexts) =>
      parts.servers.ask(path, texts, deadline, server => work({ ...all, server })),
  }
  return all
}

/** Refuses to ask a server while a file is staged that it does not see. */
export function ensureSeen(parts: RefactorParts): void {
  const [path] = invisibleStaged(parts)
  if (path !== undefined) throw notVisible(path)
}

/** Asks the server of a file. Falls back if none serves it, or if it does not see the staged files. */
export async function askOr<T>(
  parts: RefactorParts,
  path: string,
  work: Work<T>,
  otherwise: () => T | Promise<T>,
): Promise<T> {
  try {
    ensureSeen(parts)
    return await parts.ask(path, work)
  } catch (error) {
    if (error instanceof ToolError && error.code === 'unavailable') return otherwise()
    throw error
  }
}

export const notInTime = (): ToolError =>
  new ToolError('timeout', 'Not every file could be looked at in time', {
    hint: 'Nothing was changed. Ask again with more time (`timeouts` of the configuration)',
  })

/** Reports whether a preprocessor rewrites the text of a file. */
export const hasMacros = (path: string): boolean => languageAt(path).hasMacros === true
