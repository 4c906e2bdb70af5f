import type { JsonSchema } from '../kernel/json-schema.ts'
import type { CallResult } from './run-events.ts'

/** A tool as the model sees it. */
export interface AgentTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** A failed call may be made again, because it changes nothing. */
  readonly onlyReads: boolean
}

/** The tools of a run. A surface makes one from a session. */
export interface Toolbox {
  readonly tools: readonly AgentTool[]
  /** What the model is told about all of them. */
  readonly instructions: string
  /** Makes one call; a refusal and a failure are results. */
  call(tool: string, input: unknown, options: { readonly signal: AbortSignal }): Promise<CallResult>
  /** Stores a text where the model can read it again, and returns its reference; undefined if no tool could read it. */
  keep(text: string): string | undefined
}
