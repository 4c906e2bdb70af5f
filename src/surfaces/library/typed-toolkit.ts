import type { ContractId, ContractTools, ToolsOf } from '../../contracts/load-contract.ts'
import type { Engines } from '../../engines/engines.ts'
import type { Contract } from '../../kernel/contract.ts'
import type { Decision } from '../../guards/policy/decide.ts'
import type { DataOf, InputOf } from '../../kernel/tool-types.ts'
import type { CallOptions } from '../../runtime/call-options.ts'
import type { Ran } from '../../runtime/session-handle.ts'
import {
  openToolkit as open,
  type SessionHandle,
  type SessionOptions,
  type Toolkit,
  type ToolkitOptions as UntypedOptions,
} from '../../toolkit.ts'

type AnyContract = ContractId | Contract<Engines>

/** Options of a toolkit. `contract` selects its tools; default `toolwright`. */
export interface ToolkitOptions<C extends AnyContract = AnyContract> extends Omit<UntypedOptions, 'contract'> {
  /** The id of a published contract, or a contract of your own. */
  readonly contract?: C
}

/** A session whose calls are checked by the compiler. `Tools` says what each tool of its contract takes and gives. */
export interface TypedSession<Tools> extends Omit<
  SessionHandle,
  'call' | 'check' | 'checkCall' | 'run' | 'transaction'
> {
  /** Makes one call and returns the answer exactly as its contract prints it. */
  call<Name extends keyof In<Tools, Id> & string, Id extends ContractId = never>(
    tool: Name,
    input: InputOf<In<Tools, Id>, Name>,
    options?: OptionsIn<Id>,
  ): Promise<unknown>
  /** Makes one call and returns the full outcome. */
  run<Name extends keyof In<Tools, Id> & string, Id extends ContractId = never>(
    tool: Name,
    input: InputOf<In<Tools, Id>, Name>,
    options?: OptionsIn<Id>,
  ): Promise<Ran<DataOf<In<Tools, Id>, Name>>>
  /** Returns the policy's verdict on a call, without making it. */
  check<Name extends keyof Tools & string>(tool: Name, input: InputOf<Tools, Name>): Decision
  /** Returns the decision on a call without making it: the policy's verdict and any remembered answer. */
  checkCall<Name extends keyof Tools & string>(tool: Name, input: InputOf<Tools, Name>): Promise<Decision>
  /** Lands all changes of the calls in `work` together, or none of them if it throws. */
  transaction<T>(work: (session: TypedSession<Tools>) => Promise<T>): Promise<T>
}

/** The tools of the contract named by a call, else those of its session. */
type In<Tools, Id extends ContractId> = [Id] extends [never] ? Tools : ContractTools[Id]

/** Options of a call; `contract` calls a tool of that contract instead of the session's own. */
type OptionsIn<Id> = CallOptions & { readonly contract?: Id }

/** An open workspace and its first session, whose calls the compiler checks. */
export interface TypedToolkit<Tools> extends TypedSession<Tools>, Omit<Toolkit, keyof SessionHandle | 'session'> {
  /** Opens another session in the same workspace, with the tools of this contract. */
  session<C extends Contract<Engines>>(options: SessionOptions & { readonly contract: C }): TypedSession<ToolsOf<C>>
  /** Opens another session in the same workspace. */
  session(options?: SessionOptions): TypedSession<Tools>
}

/** Opens a toolkit with the tools of the contract in its options. */
type OpenToolkit = <const C extends AnyContract = 'toolwright'>(
  options?: ToolkitOptions<C>,
) => Promise<TypedToolkit<ToolsOf<C>>>

/**
 * Opens a workspace with its configuration and state, and a first session in it. Close it when done.
 *
 * The contract decides the tools, and so what `run` and `call` accept. For names that are known only at run time,
 * declare the result as `Toolkit`.
 */
export const openToolkit: OpenToolkit = open as OpenToolkit
