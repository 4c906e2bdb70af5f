import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { toolwright } from '../../../src/contracts/toolwright/contract.ts'
import { defineTool, type Engines } from '../../../src/engines/engines.ts'
import type { AnyTool, Contract } from '../../../src/kernel/contract.ts'
import { ToolError } from '../../../src/kernel/error.ts'
import { DEFAULTS, ENUMS, form, PERSON } from './forms.ts'
import { inputTools } from './input-tools.ts'
import { PNG, WAV } from './media.ts'
import { requestContext, text, type Content } from './request-context.ts'

/** A tool of the suite, behind everything that guards the published ones. */
export const fixture = (
  name: string,
  run: (input: Readonly<Record<string, string>>) => Promise<object> | object,
  parameters: readonly string[] = [],
): AnyTool<Engines> =>
  defineTool({
    name,
    version: '1.0.0',
    description: `Answers what the conformance suite expects of ${name}.`,
    input: z.strictObject(Object.fromEntries(parameters.map(parameter => [parameter, z.string().optional()]))),
    output: z.looseObject({}),
    effects: ['read'],
    claims: () => [{ action: 'read', resource: 'fixture.txt' }],
    async run(input) {
      try {
        return { ...(await run(input as Readonly<Record<string, string>>)) }
      } catch (error) {
        if (!(error instanceof ToolError)) requestContext().protocolError = error
        throw error
      }
    },
    examples: [{ input: {}, files: { 'fixture.txt': 'one\n' } }],
  })

const content = (parts: Content): object => ({ content: parts })

const elicits = (name: string, message: string, fields: object, parameters: readonly string[] = []): AnyTool<Engines> =>
  fixture(
    name,
    async input => {
      const { request } = requestContext()
      const answer = await request.mcpReq.elicitInput(form(input['message'] ?? message, fields))
      return content(text(`Answer: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`))
    },
    parameters,
  )

const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const
const resource = (uri: string, words: string) =>
  ({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: words } }) as const

async function logThrice(): Promise<object> {
  const { request } = requestContext()
  for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await request.mcpReq.log('info', words)
    await pause(20)
  }
  return content(text('Logged three times'))
}

async function progressThrice(): Promise<object> {
  const { mcpReq } = requestContext().request
  const { _meta: meta } = mcpReq
  const progressToken = meta?.progressToken
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined)
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
    await pause(20)
  }
  return content(text('Reported progress'))
}

const announce = (what: 'toolsChanged' | 'promptsChanged') => (): object => {
  requestContext().notify[what]()
  return content(text('Announced'))
}

const tools: readonly AnyTool<Engines>[] = [
  fixture('test_simple_text', () => content(text('This is a simple text response for testing.'))),
  fixture('test_image_content', () => content([image])),
  fixture('test_audio_content', () => content([{ type: 'audio', data: WAV, mimeType: 'audio/wav' }])),
  fixture('test_embedded_resource', () =>
    content([resource('test://embedded-resource', 'This is an embedded resource content.')]),
  ),
  fixture('test_multiple_content_types', () =>
    content([...text('Several kinds:'), image, resource('test://mixed-content-resource', '{"test":"data"}')]),
  ),
  fixture('test_error_handling', () => {
    throw new ToolError('conflict', 'This tool intentionally returns an error for testing')
  }),
  fixture('test_tool_with_logging', logThrice),
  fixture('test_logging_tool', logThrice),
  fixture('test_tool_with_progress', progressThrice),
  fixture(
    'test_sampling',
    async ({ prompt = '' }) => {
      const { request } = requestContext()
      const answer = await request.mcpReq.requestSampling({
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 100,
      })
      return content(text(`LLM response: ${JSON.stringify(answer.content)}`))
    },
    ['prompt'],
  ),
  elicits('test_elicitation', 'Please answer', PERSON, ['message']),
  elicits('test_elicitation_sep1034_defaults', 'Please look at the defaults', DEFAULTS),
  elicits('test_elicitation_sep1330_enums', 'Please choose', ENUMS),
  fixture('test_trigger_tool_change', announce('toolsChanged')),
  fixture('test_trigger_prompt_change', announce('promptsChanged')),
  fixture('test_reconnection', async () => {
    requestContext().request.http?.closeSSE?.()
    await pause(100)
    return content(text('Reconnected'))
  }),
  ...inputTools(fixture),
]

export const fixtureContract: Contract<Engines> = {
  id: 'conformance',
  tools,
  codes: toolwright.codes,
  envelope: toolwright.envelope,
}
