import type { Code } from './error.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Outcome } from './outcome.ts'
import type { Tool } from './tool.ts'

/** The name and the input of one call. */
export interface Call {
  readonly name: string
  readonly input: unknown
}

/** A tool of any input and output, for lists; the one place that drops their types. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyTool<Engines = unknown> = Tool<any, any, Engines>

/** Metrics that a document wants in the workspace for every call: a view of the journal that the runtime writes. */
export interface Metrics {
  /** Returns the file for the lines of one task. */
  readonly file: (task: string) => string
  /** `charged`: the bytes that the call took from its budget, if it has one. */
  readonly line: (call: Call, task: string, outcome: Outcome, charged?: number) => Readonly<Record<string, unknown>>
  /** Returns the totals of many lines, by task and overall. */
  readonly totals: (lines: Iterable<object>) => object
}

/** A published tool surface: its tools, its names for failures, its answer shape. */
export interface Contract<Engines = unknown, Listed extends AnyTool<Engines> = AnyTool<Engines>> {
  readonly id: string
  readonly tools: readonly Listed[]
  /** Exhaustive by type: a new code does not compile until every contract names it. */
  readonly codes: Readonly<Record<Code, string>>
  readonly envelope: (call: Call, outcome: Outcome) => unknown
  /**
   * Returns the JSON Schema of every answer to a tool over MCP, failures included, from the schema of the tool's data;
   * undefined unless that is an object.
   */
  readonly answerSchema?: (data: JsonSchema) => JsonSchema | undefined
  /**
   * Returns the answer without the name and the input of its call, for callers that know them: MCP, and a tool's own
   * `execute`.
   */
  readonly withoutCall?: (answer: unknown) => unknown
  /** Returns the answer as the command line prints it for programs, if the document words that differently. */
  readonly printed?: (call: Call, answer: unknown) => unknown
  readonly metrics?: Metrics
  /** The parameter that names the task of a call over MCP, if the session has no task of its own. */
  readonly taskParameter?: { readonly name: string; readonly description: string }
  /** Prompts that explain the tools to a model, by occasion; generated from the tools. */
  readonly prompts?: Readonly<Record<string, () => string>>
  /** Answers above this many bytes are cut to a preview; default from the configuration. */
  readonly answerBytes?: number
  /** A whole-file write needs a read before it; only our own contract sets this. */
  readonly strictWrites?: true
  /** The limits of files and output that commands have hold for its other tools, too. */
  readonly limitsWrites?: true
  /** Its answers to failed commands and validators name the best past fix. */
  readonly namesPastFixes?: true
  /** Its records name the processor time of every call. */
  readonly recordsResources?: true
  /** Its answers report what a change breaks. */
  readonly tellsEffects?: true
}
