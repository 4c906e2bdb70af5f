import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import type { TurnTokens } from './run-budget.ts'

/** The conversation of a run, as the model gets it. */
interface History {
  readonly messages: () => LanguageModelV4Prompt
  add(message: LanguageModelV4Message): void
  /** Takes in how many tokens the provider counted for the messages before the newest answer. */
  counted(tokens: TurnTokens | undefined): void
  /** Returns a bound of the next prompt's tokens: what was counted, and a token for each byte since. */
  bound(): number | undefined
  /** Returns the bytes of all messages. */
  bytes(): number
  /** Replaces old outputs by references until the messages have at most so many bytes; returns how many outputs went. */
  compact(mostBytes: number): number
}

/** Where the whole of an output can be read again. */
type KeepOutput = (text: string) => string | undefined

/** Outputs up to this size say as much as a reference to them. */
const SMALL = 400

/** Newest tool messages whose outputs the model still works with. */
const RECENT = 2

/** Creates a history. `keep` stores an output and returns its reference, so that nothing is lost when it gives way. */
export function createHistory(initial: readonly LanguageModelV4Message[], keep: KeepOutput): History {
  let messages = [...initial]
  let counted: { readonly tokens: number; readonly upTo: number } | undefined

  return {
    messages: () => messages,
    add: message => void messages.push(message),
    counted(tokens) {
      counted = tokens && { tokens: tokens.input, upTo: messages.length }
    },
    bound() {
      if (!counted) return undefined
      const since = messages.slice(counted.upTo)
      return counted.tokens + bytesOf(since) + AROUND * (since.length + 1)
    },
    bytes: () => bytesOf(messages),
    compact(mostBytes) {
      let replaced = 0
      const toolMessages = messages.flatMap((message, at) => (message.role === 'tool' ? [at] : []))
      for (const at of toolMessages.slice(0, -RECENT)) {
        if (bytesOf(messages) <= mostBytes) break
        const message = messages[at]
        if (message?.role !== 'tool') continue
        const content = message.content.map(part => {
          const shorter = part.type === 'tool-result' ? withoutOutput(part, keep) : undefined
          if (shorter) replaced++
          return shorter ?? part
        })
        messages = messages.with(at, { ...message, content })
      }
      if (replaced > 0) counted = undefined
      return replaced
    },
  }
}

const AROUND = 16
const bytesOf = (messages: readonly LanguageModelV4Message[]): number => Buffer.byteLength(JSON.stringify(messages))

/** Returns the part with a reference in place of its output; undefined if that would not be shorter. */
function withoutOutput(
  part: LanguageModelV4ToolResultPart,
  keep: KeepOutput,
): LanguageModelV4ToolResultPart | undefined {
  const text = textOf(part)
  if (text === undefined || text.length <= SMALL) return undefined
  const reference = keep(text)
  if (reference === undefined) return undefined
  const [first = ''] = text.split('\n', 1)
  const value = `${first.slice(0, 200)}\n… ${text.length} characters of this output gave way. All of it: read {"path":"${reference}"}`
  return { ...part, output: { type: part.output.type === 'error-text' ? 'error-text' : 'text', value } }
}

function textOf({ output }: LanguageModelV4ToolResultPart): string | undefined {
  if (output.type === 'text' || output.type === 'error-text') return output.value
  if (output.type !== 'content') return undefined
  return output.value.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
}
