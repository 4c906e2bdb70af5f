import {
  client,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { CLI } from '../cli-program.ts'
import { startFakeModel } from '../clients/fake-model.ts'

type Answer = 'allow_once' | 'reject_once' | 'cancel' | 'never'

/** An editor of the test: the real command over its standard input and output, and a model that follows a script. */
async function withEditor(answer: Answer) {
  await using model = await startFakeModel({
    'Write b': [
      [{ tool: 'plan', input: { items: [{ content: 'Write', activeForm: 'Writing', status: 'in_progress' }] } }],
      [{ tool: 'edit', input: { path: 'a.txt', edits: [{ old: 'one', new: 'two' }] } }],
      'Done',
    ],
  })
  await using workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
  const args = [CLI, 'agent', '--acp', '--model', 'openai-compatible/fake', '--base-url', `${model.url}/v1`]
  const child = spawn(process.execPath, args, {
    cwd: workspace.path,
    env: { ...workspace.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const asked: RequestPermissionRequest[] = []
  const updates: SessionUpdate[] = []
  let onAsked = (): void => {}
  const app = client({ name: 'test-editor' })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      asked.push(params)
      onAsked()
      if (answer === 'never' || answer === 'cancel') {
        if (answer === 'never') await new Promise(() => {})
        return { outcome: { outcome: 'cancelled' } }
      }
      const option = params.options.find(({ kind }) => kind === answer)
      return { outcome: { outcome: 'selected', optionId: option?.optionId ?? '' } }
    })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  )
  const stopReason = await app.connectWith(stream, async agent => {
    const { protocolVersion } = await agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientInfo: { name: 'test-editor', version: '1' },
    })
    expect(protocolVersion).toBe(1)
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: workspace.path, mcpServers: [] })
    if (answer === 'never') onAsked = () => void agent.notify(methods.agent.session.cancel, { sessionId })
    const result = await agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: 'text', text: 'Write b' }],
    })
    return result.stopReason
  })
  child.stdin.end()
  const [code] = await ended
  return { stopReason, asked, updates, code, content: workspace.read('a.txt'), heard: model.heard() }
}

const kinds = (updates: readonly SessionUpdate[]) => new Set(updates.map(({ sessionUpdate }) => sessionUpdate))

describe('toolwright agent --acp', () => {
  it('asks with the diff, edits once allowed, and shows plan, calls and text', async () => {
    const { stopReason, asked, updates, code, content } = await withEditor('allow_once')
    expect([stopReason, code, content]).toEqual(['end_turn', 0, 'two\n'])
    expect(asked).toHaveLength(1)
    expect(asked[0]?.toolCall).toMatchObject({ kind: 'edit' })
    expect(asked[0]?.toolCall.content?.[0]).toEqual({
      type: 'diff',
      path: expect.stringMatching(/^\/.*\/a\.txt$/),
      oldText: 'one\n',
      newText: 'two\n',
    })
    expect(kinds(updates)).toEqual(new Set(['tool_call', 'tool_call_update', 'plan', 'agent_message_chunk']))
    expect(updates.find(({ sessionUpdate }) => sessionUpdate === 'plan')).toMatchObject({
      entries: [{ content: 'Write', status: 'in_progress' }],
    })
  })

  it('tells the model of a refusal, and goes on', async () => {
    const { stopReason, content, heard } = await withEditor('reject_once')
    expect([stopReason, content]).toEqual(['end_turn', 'one\n'])
    expect(heard).toContain('rejected')
  })

  it('takes no answer for no yes', async () => {
    const { stopReason, content } = await withEditor('cancel')
    expect([stopReason, content]).toEqual(['end_turn', 'one\n'])
  })

  it('ends at once when the person cancels, though the question is never answered', async () => {
    const { stopReason, content, code } = await withEditor('never')
    expect([stopReason, content, code]).toEqual(['cancelled', 'one\n', 0])
  })
})
