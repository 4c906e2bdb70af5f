import { decide, type Decision } from '../guards/policy/decide.ts'
import type { AnyTool, Call, Contract } from '../kernel/contract.ts'
import type { KeptOrigin } from '../kernel/claim.ts'
import type { Concealer } from '../kernel/conceal.ts'
import { ToolError } from '../kernel/error.ts'
import { isoTime } from '../kernel/time.ts'
import type { Outcome } from '../kernel/outcome.ts'
import { validate } from '../kernel/validate.ts'
import { factsOf } from './prepare.ts'
import type { Policy } from '../guards/policy/policy.ts'
import type { Questions } from './questions.ts'
import { createRegistry } from './registry.ts'
import type { Explained, Explanation } from './explain-call.ts'
import type { CallOptions } from './call-options.ts'
import { concealerFor, redactorFor } from './redact-outcome.ts'
import { run, type Mounted } from './run.ts'
import type { Machine, Session } from './session.ts'

/** Options of a call by a session. */
interface RunOptions extends CallOptions {
  /** Calls a tool of this contract instead of the session's own. */
  readonly contract?: string
}

/** A contract and those of its tools that a session may call. */
interface Offer<Engines> {
  readonly contract: Contract<Engines>
  readonly tools: readonly AnyTool<Engines>[]
}

/** The outcome of a call, and the answer exactly as the contract prints it. */
export interface Ran<Data = unknown> {
  readonly outcome: Outcome<Data>
  readonly answer: unknown
}

/** A session as surfaces use it. It checks names and inputs when the call is made. */
export interface SessionHandle<Engines> {
  readonly id: string
  /** The task that budgets count for, unless a call names another. */
  readonly task: string
  /** The open questions, and the answerers. */
  readonly questions: Questions
  /** Returns the tools that can be called by their plain names. */
  tools(): readonly AnyTool<Engines>[]
  /** Returns a contract with its tools, except those that read-only mode or policy disables entirely. */
  offer(contract?: string): Promise<Offer<Engines>>
  /** Makes one call and returns the answer exactly as its contract prints it. */
  call(tool: string, input: unknown, options?: RunOptions): Promise<unknown>
  /** The same, with everything that is known of the call. */
  run(tool: string, input: unknown, options?: RunOptions): Promise<Ran>
  /** The rules that decide now. */
  policy(): Policy
  /** Returns the policy's decision on a call, without making it. Never throws: the decision on invalid input has its `error`. */
  check(tool: string, input: unknown): Decision
  /** Returns the decision on a call without making it: the policy's verdict and any remembered answer. */
  checkCall(tool: string, input: unknown): Promise<Decision>
  /** Explains the decision on a call or a claim, without making it. */
  explain(explained: Explained): Promise<Explanation>
  /** Returns the policy's decision on a command line without running it. */
  checkCommand(line: string): Decision
  /** Returns the decision on showing what an earlier call answered. */
  checkAnswer(what: string, origin: KeptOrigin): Promise<Decision>
  /** Returns what removes the secrets of the session from recorded values. */
  redactor(): Promise<<T>(value: T) => T>
  /** Returns what conceals the secrets of the session in texts of no call; undefined if it knows none. */
  concealer(): Promise<Concealer | undefined>
  /** Lands all changes of the calls in `work` together, or none of them if it throws. */
  transaction<T>(work: (session: SessionHandle<Engines>) => Promise<T>): Promise<T>
}

interface HandleParts<Engines> {
  /** The contract whose tools are called by their plain names. */
  readonly contract: Contract<Engines>
  readonly loadContract: (id: string) => Promise<Contract<Engines>>
  readonly readOnly: boolean
  /** Returns the machine of a session that stages into a new transaction of this id. */
  readonly machineIn: (transaction: string) => Machine<Engines>
  /** The transaction that the session starts in. */
  readonly transaction: string | undefined
  /** The tool that ends a transaction by `{ action: 'commit' | 'rollback' }`. */
  readonly stageTool: { readonly contract: string; readonly name: string }
  /** Returns an id that no transaction has. */
  readonly newTransaction: () => string
  /** Returns the policy with what is stored by now. */
  readonly policy: () => Policy
  /** Takes in what other processes stored; undefined if there is nothing to wait for. */
  readonly refresh: () => Promise<void> | undefined
  /** Returns why nothing can be called any more; undefined while it can. */
  readonly closed: () => ToolError | undefined
  /** Runs the calls, if they are recorded. */
  readonly run?: typeof run<Engines>
}

/** Opens a session's tools by name. */
export function handleOf<Engines>(session: Session<Engines>, parts: HandleParts<Engines>): SessionHandle<Engines> {
  const { machine } = session
  const policyNow = async (): Promise<Policy> => {
    await parts.refresh()
    return parts.policy()
  }
  const now = (): Session<Engines> => ({ ...session, policy: parts.policy(), policyNow })
  const { contract, loadContract, readOnly, machineIn, newTransaction, stageTool, run: runCall = run } = parts
  const mount = (mounted: Contract<Engines>) => ({
    contract: mounted,
    registry: createRegistry(mounted.tools, { readOnly }),
  })
  const mainMount = mount(contract)
  const others = new Map<string, Mounted<Engines>>()
  const mountOf = async (id: string) => {
    const existingMount = id === contract.id ? mainMount : others.get(id)
    if (existingMount) return existingMount
    const other = mount(await loadContract(id))
    others.set(id, other)
    return other
  }
  const ensureOpen = (): void => {
    const error = parts.closed()
    if (error) throw error
  }
  const learn = async () => {
    if (session.secrets) await (await import('./fetch-secrets.ts')).learnSecrets(session, session.secrets)
  }
  const handle: SessionHandle<Engines> = {
    task: session.task,
    id: session.id,
    questions: session.questions,
    tools: () => mainMount.registry.list(),
    policy: parts.policy,
    async offer(id) {
      await parts.refresh()
      const { contract: offering, registry } = id === undefined ? mainMount : await mountOf(id)
      const { visibleTools } = await import('./visible-tools.ts')
      return { contract: offering, tools: visibleTools(registry.list(), parts.policy()) }
    },
    async call(tool, input, more) {
      return (await handle.run(tool, input, more)).answer
    },
    async run(named, input, options) {
      const tool = nameOf(named)
      const { contract: asked, ...more }: RunOptions = Object(options)
      const id = asked === undefined ? undefined : nameOf(asked)
      const closedReason = parts.closed()
      // The call is not even begun, because what it needs may belong to someone else by now.
      if (closedReason) return notBegun(session, contract, { name: tool, input }, closedReason)
      const into =
        id === undefined ? mainMount : await mountOf(id).catch((error: unknown) => emptyMount(contract, id, error))
      const unread = await parts.refresh()?.then(() => undefined, asUnread)
      if (unread) return notBegun(session, contract, { name: tool, input }, unread)
      return runCall(now(), into, { name: tool, input }, more)
    },
    check(name, input) {
      try {
        ensureOpen()
        const tool = mainMount.registry.get(nameOf(name))
        return decide(parts.policy(), machine.canonical(tool.claims(validate(tool, input), factsOf(now()))))
      } catch (cause) {
        return undecidable(cause)
      }
    },
    async checkCall(name, input) {
      try {
        ensureOpen()
        await parts.refresh()
        const { checkCall } = await import('./check-call.ts')
        return await checkCall(now(), mainMount, nameOf(name), input)
      } catch (cause) {
        return undecidable(cause)
      }
    },
    async explain(explained) {
      await parts.refresh()
      const { explainCall } = await import('./explain-call.ts')
      return explainCall(now(), mainMount, explained)
    },
    checkCommand: line => decide(parts.policy(), [{ action: 'exec', resource: line }]),
    async checkAnswer(what, origin) {
      await parts.refresh()
      return (await import('./kept-origin.ts')).checkAnswer(parts.policy(), what, origin)
    },
    async redactor() {
      await learn()
      return redactorFor(session.revealed).value
    },
    async concealer() {
      await learn()
      return concealerFor(session.revealed)
    },
    async transaction(work) {
      ensureOpen()
      // A nested landing would outlive the rollback.
      if (parts.transaction !== undefined)
        throw new ToolError('conflict', `This session is in transaction '${parts.transaction}' already`, {
          hint: 'Make the calls on the session that it passed to you; they land together with it',
        })
      const id = newTransaction()
      const stagedSession = { ...session, machine: machineIn(id) }
      const inside = handleOf(stagedSession, { ...parts, transaction: id })
      // Ending a transaction is no step of the caller's work, and each step has met the demands already.
      const ending = handleOf({ ...stagedSession, demands: [] }, { ...parts, transaction: id })
      const stage = (action: string) => ending.run(stageTool.name, { action }, { contract: stageTool.contract })
      try {
        const result = await work(inside)
        const { outcome } = await stage('commit')
        if (!outcome.ok) throw outcome.error
        return result
      } catch (error) {
        await stage('rollback')
        throw error
      }
    },
  }
  return handle
}

/** Programs without types can pass anything. */
const nameOf = (name: unknown): string => (typeof name === 'string' ? name : `(${typeof name})`)

/** A contract that cannot be mounted has no tools. Calling one still ends in a record and an outcome. */
function emptyMount<Engines>(own: Contract<Engines>, id: string, error: unknown): Mounted<Engines> {
  const get = () => {
    throw error
  }
  return { contract: { ...own, id }, registry: { ...createRegistry<AnyTool<Engines>>(), get } }
}

/** The decision on a call that cannot be made as it is: a path outside is denied, anything else asks. A defect is thrown. */
function undecidable(cause: unknown): Decision {
  if (!(cause instanceof ToolError)) throw cause
  const isRefused = cause.code === 'outside_workspace' || cause.code === 'denied'
  return { verdict: isRefused ? 'deny' : 'ask', why: cause.message, filters: [], error: cause }
}

/** A rule that cannot be read may deny the call. */
const asUnread = (cause: unknown): ToolError =>
  cause instanceof ToolError
    ? cause
    : new ToolError('io', `The stored deny rules cannot be read: ${String(cause)}`, { cause })

function notBegun<Engines>(
  { clock }: Session<Engines>,
  contract: Contract<Engines>,
  call: Call,
  error: ToolError,
): Ran {
  const now = isoTime(clock.now())
  const meta = { id: clock.id(), startedAt: now, endedAt: now, durationMs: 0, claims: [], changed: [] }
  const outcome: Outcome = { ok: false, error, meta }
  return { outcome, answer: contract.envelope(call, outcome) }
}
