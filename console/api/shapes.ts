/** The answers of the HTTP API, as far as the page reads them. docs/reference/openapi.json describes all of them. */

export interface Claim {
  readonly action: string
  readonly resource: string
}

export interface Hunk {
  readonly number: number
  readonly text: string
}

export interface Change {
  readonly path: string
  readonly kind: string
  readonly from?: string
  readonly diff: string
  readonly hunks: readonly Hunk[]
}

/** A call that waits for a person. */
export interface Question {
  readonly id: string
  readonly digest: string
  readonly asker: {
    readonly client?: string
    readonly agent?: string
    readonly task: string
    readonly tool: string
    readonly call: string
  }
  readonly why: string
  readonly rule?: string
  readonly always?: string
  readonly risk: string
  readonly input: unknown
  readonly claims: readonly Claim[]
  readonly changes: readonly Change[]
  readonly whole?: string
  readonly until?: string
  readonly askedAt: string
  readonly state: 'open' | 'answered' | 'withdrawn' | 'expired' | 'abandoned'
  readonly answer?: {
    readonly answer: 'yes' | 'no' | 'always'
    readonly by: string
    readonly at: string
    readonly reason?: string
    readonly hunks?: readonly number[]
  }
  readonly closed?: string
}

/** What "always" would have allowed. */
export interface AlwaysImpact {
  readonly rule: string
  readonly days: number
  readonly looked: number
  readonly allowed: number
  readonly refused: number
}

/** One call of the journal. */
export interface CallRecord {
  readonly seq: number
  readonly time: string
  readonly type: string
  readonly id: string
  readonly client?: string
  readonly agent?: string
  readonly task?: string
  readonly session: string
  readonly tool: string
  readonly input?: unknown
  readonly claims?: readonly Claim[]
  readonly verdict?: { readonly verdict: 'allow' | 'ask' | 'deny'; readonly rule?: string; readonly why?: string }
  readonly approval?: {
    readonly by: string
    readonly answer: string
    readonly at: string
    readonly rule?: string
    readonly reason?: string
    readonly hunks?: readonly number[]
  }
  readonly ok: boolean
  readonly code?: string
  readonly message?: string
  readonly startedAt: string
  readonly durationMs: number
  readonly changed?: readonly string[]
  readonly lines?: { readonly added: number; readonly removed: number }
  readonly undo?: string
  readonly transaction?: string
  readonly warnings?: readonly string[]
  readonly dryRun?: boolean
  readonly output?: unknown
  readonly printed?: unknown
  readonly exitCode?: number
  readonly sandbox?: string
  readonly net?: readonly { readonly origin: string; readonly allowed: boolean }[]
  readonly effects?: { readonly introduced: number; readonly cured: number; readonly complete: boolean }
  readonly withheld?: string
}

/** The answer to a call. */
export interface Envelope<Data = unknown> {
  readonly ok: boolean
  readonly data?: Data
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string }
  readonly meta?: {
    readonly id: string
    readonly durationMs: number
    readonly changed: readonly string[]
    readonly diff?: string
    readonly plan?: string
    readonly undo?: string
    readonly transaction?: string
    readonly warnings?: readonly string[]
  }
}
