/** How a run ended. */
export type RunStatus = 'completed' | 'budget_exceeded' | 'failed' | 'cancelled' | 'refused'

/** What a run has used so far. Cached and reasoning tokens count. */
export interface RunUsage {
  /** Answers of the model. */
  readonly turns: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
}

/** A call as the model made it. */
export interface ModelCall {
  readonly id: string
  readonly tool: string
  /** The arguments; absent if they are not valid JSON. */
  readonly input?: Readonly<Record<string, unknown>>
  /** The arguments as the model wrote them. */
  readonly text: string
}

/** How a call ended. */
export interface CallResult {
  /** What the model reads. */
  readonly text: string
  readonly ok: boolean
  readonly images?: readonly { readonly mediaType: string; readonly base64: string }[]
  /** The code of a failure. */
  readonly code?: string
  readonly message?: string
  readonly verdict?: 'by rule' | 'by you' | 'refused'
  readonly changed?: readonly string[]
  readonly durationMs?: number
  /** The id of the call in the journal. */
  readonly id?: string
  /** The run was stopped while a person was asked: the call is still to be made. */
  readonly isPending?: true
}

/** What happens in a run, as it happens. */
export type RunEvent =
  | { readonly type: 'start'; readonly id: string; readonly model: string }
  /** A part of the model's text. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly call: ModelCall }
  | { readonly type: 'call-end'; readonly call: ModelCall; readonly result: CallResult }
  /** An answer of the model is complete. */
  | { readonly type: 'turn'; readonly usage: RunUsage }
  /** A request failed and is made again. */
  | { readonly type: 'retry'; readonly why: string; readonly afterMs: number; readonly attempt: number }
  /** Old outputs gave way to their references. */
  | { readonly type: 'compacted'; readonly outputs: number }
  /** The answer did not match its schema, and was sent back. */
  | { readonly type: 'sent-back'; readonly errors: readonly string[] }
