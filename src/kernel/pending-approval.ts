import type { Change } from './change.ts'
import type { Claim } from './claim.ts'
import type { Risk } from './tool.ts'

/** Who asks for an approval, as the runtime knows it. */
export interface Asker {
  /** The program that made the call: the name of an MCP client, of a token, or `command line`. */
  readonly client?: string
  /** The agent or sub-agent within that program, if it names one. */
  readonly agent?: string
  readonly session: string
  readonly task: string
  readonly contract: string
  readonly tool: string
  /** The id of the call in the journal. */
  readonly call: string
}

/** One part of a change that can be accepted or refused alone. */
interface PendingHunk {
  /** Counts from 1 over all changes of the question. */
  readonly number: number
  /** The hunk as a part of a unified diff, with its `@@` line. */
  readonly text: string
}

export interface PendingChange extends Pick<Change, 'path' | 'kind' | 'from'> {
  /** The unified diff; empty if it is too large to be stored here. */
  readonly diff: string
  /** Empty if the question is answered as a whole. */
  readonly hunks: readonly PendingHunk[]
}

/** A question about one call, without the secrets of its session. */
export interface PendingQuestion {
  /** Covers the caller, the tool, the canonical input, the bytes that will land, and the version of the policy. */
  readonly digest: string
  readonly asker: Asker
  readonly why: string
  /** The rule that asks; absent if no rule covers the call. */
  readonly rule?: string
  /** What `always` would remember, in words; absent if it is not offered. */
  readonly always?: string
  readonly risk: Risk
  /** The frozen input. */
  readonly input: unknown
  readonly claims: readonly Claim[]
  readonly changes: readonly PendingChange[]
  /** The reference under which all of it can be read, if this leaves something out. */
  readonly whole?: string
  /** ISO 8601. Absent if the question is open for as long as its asker waits. */
  readonly until?: string
}

export interface PendingApproval extends PendingQuestion {
  readonly id: string
  readonly askedAt: string
  /** `abandoned`: the process that asked has ended without an answer. */
  readonly state: 'open' | 'answered' | 'withdrawn' | 'expired' | 'abandoned'
  readonly answer?: AcceptedAnswer
  /** Why it was withdrawn, in words. */
  readonly closed?: string
}

/** An answer as a person sends it. Who sent it is recorded by the surface, never sent. */
export interface ApprovalAnswer {
  readonly answer: 'yes' | 'no' | 'always'
  /** The accepted hunks, if not all; only with yes. */
  readonly hunks?: readonly number[]
  /** How far an `always` reaches; the workspace by default. */
  readonly scope?: 'task' | 'session' | 'workspace' | 'user'
  /** Given to the model. */
  readonly reason?: string
  /** The digest of the question that was answered. */
  readonly digest: string
}

/** The answer that won. */
export interface AcceptedAnswer extends Omit<ApprovalAnswer, 'digest'> {
  readonly by: string
  /** ISO 8601. */
  readonly at: string
}

/** An answer that one call has; `id` is that of its question. */
export interface TakenAnswer extends AcceptedAnswer {
  readonly id: string
}

/** The open questions of a workspace, seen by every process of the user. */
export interface PendingApprovals {
  /** Returns the open questions, the oldest first. Closes those whose time or whose asker has ended. */
  list(): readonly PendingApproval[]
  /** Returns a question, open or closed within the last day. */
  get(id: string): PendingApproval | undefined
  /** Publishes a question of this process. */
  ask(question: PendingQuestion): PendingApproval
  /**
   * Answers a question, once. Throws `not_found`; `invalid_input` if the answer does not fit the question; `conflict` if
   * the question is closed (`details.state`, and `details.by` with who answered first) or the digest is another one.
   * `by` says who answers, and is what the caller knows of them, never what they send.
   */
  answer(id: string, answer: ApprovalAnswer, by: string): PendingApproval
  /** Closes a question of this process that no longer needs an answer. Does nothing if it is closed. */
  withdraw(id: string, why: string): void
  /** Resolves once the question is closed, however that happens; with undefined if the signal ends the wait. */
  wait(id: string, signal?: AbortSignal): Promise<PendingApproval | undefined>
  /**
   * Takes the answer of a question for one call of this process. With a digest alone, takes an accepted yes that no call
   * has used because the process that asked or took it ended; such an answer lasts ten minutes.
   */
  take(of: { readonly id: string } | { readonly digest: string }): TakenAnswer | undefined
  /** Marks a taken answer as used, so that no other call gets it when this process ends. */
  use(id: string): void
  /** Calls back after any change by any process. Returns how to stop. */
  watch(onChange: () => void): () => void
  close(): void
}
