import { randomUUID } from 'node:crypto'
import { isAbsolute } from 'node:path'
import {
  agent,
  methods,
  ndJsonStream,
  RequestError,
  type AgentContext,
  type StopReason,
} from '@agentclientprotocol/sdk'
import manifest from '../../../package.json' with { type: 'json' }
import type { RunStatus } from '../../agent/run-events.ts'
import type { Toolkit } from '../../toolkit.ts'
import type { AgentOptions } from '../agent/agent-options.ts'
import { runAgent } from '../agent/run-agent.ts'
import { askEditor } from './ask-editor.ts'
import { updatesOf } from './session-updates.ts'

interface AcpOptions {
  readonly input: ReadableStream<Uint8Array>
  /** Only messages go here. */
  readonly output: WritableStream<Uint8Array>
  readonly openKit: (root: string) => Promise<Toolkit>
  /** What every run gets: the model, limits and permissions. */
  readonly run: AgentOptions
}

interface EditorSession {
  readonly root: string
  readonly kit: Toolkit
  /** What was said, for the next prompt. */
  readonly turns: { readonly task: string; readonly answer: string }[]
  running?: AbortController
}

/** Serves the agent to an editor until its input closes. */
export async function serveAcp({ input, output, openKit, run }: AcpOptions): Promise<void> {
  const sessions = new Map<string, EditorSession>()
  let editorName = 'the editor'

  async function prompt(client: AgentContext, sessionId: string, task: string): Promise<StopReason> {
    const session = sessions.get(sessionId)
    if (!session) throw RequestError.invalidParams(undefined, `There is no session ${sessionId}`)
    if (session.running) throw RequestError.invalidParams(undefined, 'A prompt of this session is being worked on')
    const controller = new AbortController()
    session.running = controller
    const { root, kit, turns } = session
    const say = (text: string) =>
      client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
      })
    // Updates are sent in their order; a client that left gets none.
    let sending = Promise.resolve()
    try {
      const result = await runAgent(kit, taskWith(turns, task), {
        ...run,
        approve: askEditor({ client, name: editorName, sessionId, root, signal: controller.signal }),
        signal: controller.signal,
        onEvent(event) {
          for (const update of updatesOf(event))
            sending = sending
              .then(() => client.notify(methods.client.session.update, { sessionId, update }))
              .catch(() => {})
        },
      })
      await sending
      turns.push({ task, answer: String(result.output) })
      if (result.reason !== undefined && !controller.signal.aborted) await say(`\n\n${result.reason}`)
      return controller.signal.aborted ? 'cancelled' : STOP_REASON[result.status]
    } finally {
      delete session.running
    }
  }

  const connection = agent({ name: 'toolwright' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      editorName = params.clientInfo?.name ?? editorName
      return {
        protocolVersion: 1,
        agentInfo: { name: 'toolwright', title: 'Toolwright', version: manifest.version },
        agentCapabilities: { loadSession: false, promptCapabilities: { embeddedContext: true } },
      }
    })
    .onRequest(methods.agent.session.new, async ({ params: { cwd } }) => {
      if (!isAbsolute(cwd)) throw RequestError.invalidParams(undefined, 'cwd must be an absolute path')
      const sessionId = randomUUID()
      sessions.set(sessionId, { root: cwd, kit: await openKit(cwd), turns: [] })
      return { sessionId }
    })
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => ({
      stopReason: await prompt(client, params.sessionId, params.prompt.map(partText).join('\n')),
    }))
    .onNotification(methods.agent.session.cancel, ({ params }) => {
      sessions.get(params.sessionId)?.running?.abort()
    })
    .connect(ndJsonStream(output, input))
  await connection.closed
  for (const { running, kit } of sessions.values()) {
    running?.abort()
    await kit.close()
  }
}

const STOP_REASON: Readonly<Record<RunStatus, StopReason>> = {
  completed: 'end_turn',
  failed: 'end_turn',
  budget_exceeded: 'max_turn_requests',
  refused: 'refusal',
  cancelled: 'cancelled',
}

/** A run knows only its task: earlier prompts and answers go before it. */
const taskWith = (turns: EditorSession['turns'], task: string): string =>
  turns.length === 0
    ? task
    : `${turns.map(turn => `Earlier I asked: ${turn.task}\nYou answered: ${turn.answer}`).join('\n\n')}\n\nNow: ${task}`

function partText(part: { readonly type: string }): string {
  const { text, uri, resource }: { text?: string; uri?: string; resource?: { uri?: string; text?: string } } =
    Object(part)
  if (part.type === 'resource') return `${resource?.uri ?? ''}:\n${resource?.text ?? ''}`
  return text ?? uri ?? ''
}
