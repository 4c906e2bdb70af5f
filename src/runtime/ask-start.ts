import { ToolError } from '../kernel/error.ts'
import type { StartQuestion } from '../kernel/start-rules.ts'
import { approve, type Asked } from './approve.ts'
import type { Session } from './session.ts'

/** Asks about a program that a command is about to start, as about any command. Returns why not if the answer is no. */
export async function askStart<Engines>(
  session: Session<Engines>,
  request: Omit<Asked, 'decision'>,
  { command, why, rule, always, chain }: StartQuestion,
): Promise<string | undefined> {
  const claim = { action: 'exec', resource: command } as const
  const from = chain.length === 0 ? '' : `, started by ${chain.join(' → ')}`
  const decision = {
    verdict: 'ask',
    why: `exec ${command}${from}: ${why}`,
    claim,
    filters: [],
    ...(rule !== undefined && { rule }),
    ...(always && { always }),
  } as const
  try {
    await approve(session, { ...request, stated: [claim], claims: [claim], decision }, async () => undefined)
    return undefined
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return error.code === 'rejected'
      ? error.details?.['by'] === undefined
        ? NO_ANSWERER
        : 'the answer was no'
      : error.message
  }
}

const NO_ANSWERER = 'no one can be asked here'
