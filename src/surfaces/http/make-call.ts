import { ToolError } from '../../kernel/error.ts'
import { loadContract } from '../../toolkit.ts'
import { eventStream, type StreamedEvent } from './event-stream.ts'
import type { RouteRequest } from './route.ts'
import type { ServedWorkspace } from './served-workspace.ts'
import { writerOf } from './writer.ts'

/** One call as a request states it. */
interface WantedCall {
  readonly contract?: string | undefined
  readonly tool: string
  readonly input: unknown
  readonly dryRun?: boolean | undefined
  readonly plan?: string | undefined
  /** Lands only these hunks of what the dry run with the plan showed: this is the person's answer. */
  readonly hunks?: readonly number[] | undefined
  readonly transaction?: string | undefined
  readonly task?: string | undefined
  readonly agent?: string | undefined
  /** A person has seen what it changes: the questions of this call are answered with yes. */
  readonly confirmed?: boolean | undefined
}

type Requested = Pick<RouteRequest, 'caller' | 'signal' | 'wantsEvents'> & { workspace(): ServedWorkspace }

/** Makes a call and answers with its envelope, as `toolwright call --json` prints it; with events if wanted. */
export async function makeCall(request: Requested, call: WantedCall): Promise<unknown> {
  const place = request.workspace()
  if (!request.wantsEvents) return envelopeOf(place, request, call)
  return eventStream(
    request.signal,
    async send => {
      const onOutput = (data: object): void => send({ event: 'output', data })
      const onProgress = (text: string): void => send({ event: 'progress', data: { text } })
      send({ event: 'answer', data: await envelopeOf(place, request, call, { onOutput, onProgress }) })
    },
    failedEvent,
  )
}

/** The event that ends a stream whose work has failed. */
export const failedEvent = (error: unknown): StreamedEvent => ({
  event: 'error',
  data:
    error instanceof ToolError
      ? { code: error.code, message: error.message, ...(error.hint !== undefined && { hint: error.hint }) }
      : { code: 'internal', message: 'This is a defect of the server' },
})

interface Listeners {
  readonly onOutput: (chunk: object) => void
  readonly onProgress: (text: string) => void
}

async function envelopeOf(
  place: ServedWorkspace,
  { caller, signal }: Requested,
  call: WantedCall,
  listeners: Partial<Listeners> = {},
): Promise<unknown> {
  const { contract: id = OWN_CONTRACT, tool, input, dryRun, plan, hunks, task, agent, transaction, confirmed } = call
  if (confirmed && !caller.scopes.includes('approve'))
    throw new ToolError('denied', "'confirmed' needs a token with the scope 'approve'", {
      hint: 'Leave it out: the call then waits for a person to answer',
    })
  const by = writerOf(caller)
  const contract = await loadContract(id)
  // Beginning and ending a transaction changes the session, which other calls share.
  const isOwn = contract.tools.find(one => one.name === tool)?.uses?.includes('stage') === true
  const session = await place.sessionFor(caller, { contract: id, transaction, isOwn })
  const { answer } = await session.run(tool, input, {
    abridged: true,
    signal,
    caller: { client: by, ...(agent !== undefined && { agent }) },
    ...(confirmed && { approve: () => ({ answer: 'yes' as const, by }) }),
    ...(dryRun && { dryRun }),
    ...(plan !== undefined && { plan }),
    ...(hunks && { hunks, approve: () => ({ answer: 'yes' as const, by, hunks }) }),
    ...(task !== undefined && { task }),
    ...listeners,
  })
  return contract.printed ? contract.printed({ name: tool, input }, answer) : answer
}

const OWN_CONTRACT = 'toolwright'
