import type { Code } from './error.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Outcome } from './outcome.ts'
import type { Tool } from './tool.ts'

/** The name and the input of one call. */
export interface Call {
  readonly name: string
  readonly input: unknown
}

/** A list that holds tools of every input and output; the one place where their types are let go. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyTool<Engines = unknown> = Tool<any, any, Engines>

/** What a document wants told of every call in the workspace itself: a view of the journal that the runtime writes. */
export interface Metrics {
  /** The file that the lines of one task go to. */
  readonly file: (task: string) => string
  readonly line: (call: Call, task: string, outcome: Outcome) => Readonly<Record<string, unknown>>
  /** What the lines of many calls come to, task by task and in all. */
  readonly totals: (lines: Iterable<object>) => object
}

/** A published tool surface: its tools, its names for failures, its answer shape. */
export interface Contract<Engines = unknown, Listed extends AnyTool<Engines> = AnyTool<Engines>> {
  readonly id: string
  readonly tools: readonly Listed[]
  /** Exhaustive by type: a new code does not compile until every contract names it. */
  readonly codes: Readonly<Record<Code, string>>
  readonly envelope: (call: Call, outcome: Outcome) => unknown
  /** The JSON Schema of every answer to a tool over MCP, failures included, from that of what the tool gives; undefined for no object. */
  readonly answerSchema?: (data: JsonSchema) => JsonSchema | undefined
  /** The answer without the name and the input of its call, for callers that know them: MCP, and a tool's own `execute`. */
  readonly withoutCall?: (answer: unknown) => unknown
  /** The answer as the command line prints it for programs, where the document words that differently. */
  readonly printed?: (call: Call, answer: unknown) => unknown
  readonly metrics?: Metrics
  /** The parameter that names the task of a call over MCP, where the session has none of its own. */
  readonly taskParameter?: { readonly name: string; readonly description: string }
  /** What a model is told about the tools, by the name of the occasion; made from the tools themselves. */
  readonly prompts?: Readonly<Record<string, () => string>>
  /** Answers above this many bytes are cut to a preview; default from the configuration. */
  readonly answerBytes?: number
  /** In our own contract a whole-file write needs a read before it. */
  readonly strictWrites?: true
  /** Its answers tell what a change breaks. */
  readonly tellsEffects?: true
}
