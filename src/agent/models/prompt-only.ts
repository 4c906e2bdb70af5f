import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { duplicateKey } from '../../kernel/duplicate-key.ts'
import { toolBlock } from '../../kernel/tool-block.ts'

/** Returns a model that gets its tools in the prompt, and calls one by answering with `{"tool": …, "parameters": …}` alone. */
export function promptOnly(model: LanguageModelV4): LanguageModelV4 {
  let calls = 0
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('Answers of a prompt-only model are streamed')),
    async doStream(options) {
      const { tools = [], prompt, ...rest } = options
      const described = tools.flatMap(tool => (tool.type === 'function' ? [tool] : []))
      const { stream, ...more } = await model.doStream({ ...rest, prompt: inWords(prompt, described) })
      return { ...more, stream: stream.pipeThrough(readCalls(() => `call_${++calls}`)) }
    },
  }
}

const RULES =
  'To call a tool, answer with this JSON object alone, without words or code fences around it, and one call at a time. The result comes with the next message. An answer of any other form is your final answer.'

/** Returns the conversation without parts that such a model does not know. */
function inWords(
  prompt: LanguageModelV4Prompt,
  tools: readonly LanguageModelV4FunctionTool[],
): LanguageModelV4CallOptions['prompt'] {
  const block = toolBlock(
    tools.map(({ name, description = '', inputSchema }) => ({ name, description, inputSchema: { ...inputSchema } })),
  )
  let isDescribed = false
  return prompt.map((message): LanguageModelV4Message => {
    if (message.role === 'system' && !isDescribed) {
      isDescribed = true
      return { role: 'system', content: `${message.content}\n\n${block}\n${RULES}` }
    }
    if (message.role === 'assistant') return { role: 'assistant', content: [{ type: 'text', text: textOf(message) }] }
    return message.role === 'tool' ? { role: 'user', content: [{ type: 'text', text: textOf(message) }] } : message
  })
}

function textOf({ content }: Extract<LanguageModelV4Message, { role: 'assistant' | 'tool' }>): string {
  return content
    .map(part => {
      if (part.type === 'text') return part.text
      if (part.type === 'tool-call') return JSON.stringify({ tool: part.toolName, parameters: part.input })
      if (part.type !== 'tool-result') return ''
      const { output, toolName } = part
      const text = output.type === 'text' || output.type === 'error-text' ? output.value : JSON.stringify(output)
      return `Result of ${toolName}:\n${text}`
    })
    .filter(text => text !== '')
    .join('\n')
}

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>

/** Turns an answer that is a call into one. The text is held back until it is known which of both it is. */
function readCalls(newId: () => string): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  let text = ''
  return new TransformStream({
    transform(part, controller) {
      if (part.type === 'text-delta') text += part.delta
      else if (part.type === 'finish') {
        for (const made of partsOf(text, part, newId)) controller.enqueue(made)
      } else if (part.type !== 'text-start' && part.type !== 'text-end') controller.enqueue(part)
    },
  })
}

function partsOf(text: string, finish: Finish, newId: () => string): readonly LanguageModelV4StreamPart[] {
  const call = callIn(text)
  if (!call)
    return [
      { type: 'text-start', id: 'text' },
      { type: 'text-delta', id: 'text', delta: text },
      { type: 'text-end', id: 'text' },
      finish,
    ]
  const { tool, input } = call
  const isCut = finish.finishReason.unified === 'length'
  const finishReason = isCut ? finish.finishReason : ({ unified: 'tool-calls', raw: finish.finishReason.raw } as const)
  return [
    { type: 'tool-call', toolCallId: newId(), toolName: tool, input },
    { ...finish, finishReason },
  ]
}

/** Looks like a call, but is more or less than one: the model is told instead of anything being run. */
const LIKE_CALL = /"tool"\s*:\s*"([^"\\]{1,200})"[\s\S]*"parameters"\s*:/

/** Returns the call that a text is, strictly; one that it only looks like has arguments that are no JSON object. */
function callIn(text: string): { readonly tool: string; readonly input: string } | undefined {
  const whole = text.trim()
  const value = jsonIn(whole)
  if (value !== undefined) {
    const { tool, parameters, ...others }: { tool?: unknown; parameters?: unknown } = Object(value)
    const isCall = typeof tool === 'string' && typeof parameters === 'object' && parameters !== null
    if (isCall && !Array.isArray(parameters) && Object.keys(others).length === 0)
      return { tool, input: JSON.stringify(parameters) }
  }
  const [, tool] = LIKE_CALL.exec(whole) ?? []
  // A text is no object of parameters.
  return tool === undefined ? undefined : { tool, input: JSON.stringify(whole) }
}

function jsonIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && duplicateKey(text) === undefined ? value : undefined
  } catch {
    return undefined
  }
}
