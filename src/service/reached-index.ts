import type { IndexSource } from '../knowledge/index/index-source.ts'
import type { FileQuestion, Glance, RepositoryIndex } from '../knowledge/index/repository-index.ts'
import type { Knowledge } from '../knowledge/answers/knowledge.ts'
import type { Connection } from './connect.ts'
import type { Resident } from './open-resident.ts'
import { knowledgeAt, routed } from './routed.ts'

const ANSWER_MS = 30_000
const QUICK = { timeoutMs: 1000 } as const
/** A process that does not answer one quick query within this time gets no other. */
const LATE_MS = 25

/**
 * The repository index of the process, or our own if there is none or it ends. Each request may be answered by either.
 */
export function reachedIndex(resident: Resident, localIndex: IndexSource): IndexSource {
  let lastLine: Connection | undefined
  const askNow = quickQuestions(resident)
  const index: RepositoryIndex = routed('index', {
    line: async () => (lastLine = localIndex.opened() === undefined ? await resident.reach() : undefined),
    here: localIndex.open,
    defaultMs: question => ANSWER_MS + (Object(question).waitMs ?? 0),
  })
  return {
    open: async () => index,
    // One file is no reason to build an index, but to use an open one.
    opened: () => (localIndex.opened() !== undefined || lastLine?.isOpen() ? index : undefined),
    glance: (question: FileQuestion): Promise<Glance | undefined> | undefined =>
      localIndex.opened() ? localIndex.glance(question) : askNow(known => known.index.glance(question, QUICK)),
    around: question =>
      localIndex.opened()
        ? localIndex.around(question)
        : askNow(known => known.index.around(question, QUICK))?.then(names => names ?? []),
    close: localIndex.close,
  }
}

/** Asks the process only if it is near and answers at once; undefined otherwise. */
function quickQuestions(resident: Resident) {
  let [open, since] = [0, 0]
  return <T>(question: (knowledge: Knowledge) => Promise<T>): Promise<T | undefined> | undefined => {
    const isLate = open > 0 && performance.now() - since > LATE_MS
    const near = isLate ? undefined : resident.near()
    return near && ask(near, question)
  }

  async function ask<T>(
    near: NonNullable<ReturnType<Resident['near']>>,
    question: (knowledge: Knowledge) => Promise<T>,
  ): Promise<T | undefined> {
    if (open++ === 0) since = performance.now()
    try {
      const line = await near
      return line && (await question(knowledgeAt(line)))
    } catch {
      return undefined
    } finally {
      open--
    }
  }
}
