import { createFindings } from '../knowledge/code/effects/findings.ts'
import type { EditQuestion, EffectsWork, FoundEffects } from '../knowledge/code/effects/types.ts'
import type { Connection } from './connect.ts'
import type { JudgeQuestion } from '../knowledge/answers/knowledge.ts'
import type { ServerOptions } from '../knowledge/answers/held-server.ts'
import type { Resident } from './open-resident.ts'
import { knowledgeAt } from './routed.ts'

interface EffectsOptions {
  readonly servers: ServerOptions
  /** Work of this program alone. */
  readonly own: EffectsWork
  /** This program ends soon: it starts nothing of its own that no caller waits for. */
  readonly isBrief: boolean
}

/** Continue without a process that has not greeted by then. */
const GREETED_MS = 1000
/** Longer texts are not sent to another process. */
const MOST_CHARACTERS = 8 * 1024 ** 2

/**
 * Judges changes in the resident process, which continues after this program ends, or in this program if there is none.
 */
export function reachedEffects(resident: Resident, { servers, own, isBrief }: EffectsOptions): EffectsWork {
  return {
    concerns: own.concerns,
    serves: own.serves,
    async judge(question, signal, onSent) {
      const line = isTooMuch(question) ? undefined : await reachLine(question)
      const reply = line && (await put(line, { question, servers }, signal, onSent))
      if (reply) return reply.value
      if (isBrief && !question.complete) return undefined
      // The starting process will judge it when the caller asks for the rest.
      if (resident.isStarting() && !question.complete)
        return (await own.serves(question.changed)) ? createFindings(question.changed).sofar() : undefined
      return own.judge(question, signal)
    },
    giveUp: own.giveUp,
    close: own.close,
  }

  function reachLine({ deadlineMs, complete }: EditQuestion): Promise<Connection | undefined> {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    // A command greets the process once; a longer-lived program already knows it.
    const greetingMs = isBrief ? GREETED_MS : Math.min(GREETED_MS, deadlineMs / 2)
    const patience = complete && resident.isStarting() ? deadlineMs / 2 : greetingMs
    const timer = setTimeout(() => resolve(undefined), patience)
    const line = complete ? resident.reachStarted() : resident.reach()
    return Promise.race([line, promise]).finally(() => clearTimeout(timer))
  }
}

/** Returns undefined if the process ended. */
async function put(
  line: Connection,
  asked: JudgeQuestion,
  signal: AbortSignal | undefined,
  onSent: () => void = () => {},
): Promise<{ readonly value: FoundEffects | undefined } | undefined> {
  try {
    const answer = knowledgeAt(line).effects.judge(asked, { timeoutMs: asked.question.deadlineMs, signal })
    onSent()
    return { value: await answer }
  } catch (error) {
    if (line.isOpen()) throw error
    return undefined
  }
}

const isTooMuch = ({ before, after }: EditQuestion): boolean => {
  let characters = 0
  for (const text of [...Object.values(before), ...Object.values(after)]) characters += text?.length ?? 0
  return characters > MOST_CHARACTERS
}
