import { ProtocolError, ProtocolErrorCode, type GetPromptResult, type Server } from '@modelcontextprotocol/server'
import { elicit } from './input-tools.ts'
import { PNG } from './media.ts'

type Part = GetPromptResult['messages'][number]['content']

const user = (...parts: readonly Part[]): GetPromptResult => ({
  messages: parts.map(content => ({ role: 'user' as const, content })),
})

const text = (words: string): Part => ({ type: 'text', text: words })

interface Prompt {
  readonly arguments?: readonly string[]
  readonly get: (given: Readonly<Record<string, string>>) => GetPromptResult
}

const PROMPTS: Readonly<Record<string, Prompt>> = {
  test_simple_prompt: { get: () => user(text('This is a simple prompt for testing.')) },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    get: ({ arg1, arg2 }) => user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    get: ({ resourceUri = '' }) =>
      user(
        {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        text('Please process the embedded resource above.'),
      ),
  },
  test_prompt_with_image: {
    get: () => user({ type: 'image', data: PNG, mimeType: 'image/png' }, text('Please analyze the image above.')),
  },
  test_input_required_result_prompt: { get: () => user(text('Context was given.')) },
}

export function addPrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(PROMPTS).map(([name, prompt]) => ({
      name,
      description: `A prompt of the conformance suite: ${name}`,
      ...(prompt.arguments && { arguments: prompt.arguments.map(each => ({ name: each, required: true })) }),
    })),
  }))
  server.setRequestHandler('prompts/get', ({ params }, { mcpReq }) => {
    const prompt = PROMPTS[params.name]
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt '${params.name}'`)
    if (params.name === 'test_input_required_result_prompt' && mcpReq.inputResponses === undefined)
      return {
        resultType: 'input_required',
        inputRequests: { user_context: elicit('What context should the prompt use?', 'context') },
      }
    return prompt.get(params.arguments ?? {})
  })
}
