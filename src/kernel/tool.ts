import type { z } from 'zod'
import type { AnswerRoom } from './answer-room.ts'
import type { Claim, Effect, Facts } from './claim.ts'
import type { Code } from './error.ts'
import { once } from './once.ts'
import type { ConcealStream, OutputChunk, RunFacts } from './run-facts.ts'
import type { AskedStart } from './start-rules.ts'

/**
 * One capability as its contract publishes it: data and two functions, with no I/O of its own.
 *
 * The bound of its schemas is the smallest that has their types: comparing each with all of `ZodType` would cost
 * whoever compiles against the declarations several seconds.
 */
export interface Tool<
  In extends z.core.$ZodType = z.ZodType,
  Out extends z.core.$ZodType = z.ZodType,
  Engines = unknown,
  Name extends string = string,
> {
  /** Exactly as the document spells it. */
  readonly name: Name
  readonly description: string
  /** Semantic version; a schema change without a version change fails the tests. */
  readonly version: string
  readonly input: In
  readonly output: Out
  /** Upper bound of what any call may claim: risk, hints and read-only registries derive from it. */
  readonly effects: readonly Effect[]
  /** Its effects change nothing, here or elsewhere: a host that it reaches is only read. */
  readonly onlyReads?: true
  /** What this very call will touch. Nothing else can be opened, whatever `run` does. */
  readonly claims: (input: z.output<In>, facts: Facts) => readonly Claim[]
  readonly run: (input: z.output<In>, engines: Engines, call: CallContext) => Promise<z.input<Out>> | z.input<Out>
  /** Docs, prompts, forms and conformance tests come from these. */
  readonly examples: readonly Example<z.input<In>>[]
  readonly timeoutMs?: number
  /** How long a call with this input waits for something slow: its time is at least that. */
  readonly waitMs?: (input: z.output<In>) => number | undefined
  readonly budget?: Budget
  /** What an answer counts against a budget of bytes; its whole size unless given. */
  readonly weigh?: (output: z.output<Out>) => number
  /** What an answer gives; the budget tells how many different ones were given. */
  readonly gives?: (output: z.output<Out>) => string
  /** The end of a long text in the answer says as much as its beginning, and is kept with it. */
  readonly keepsEnd?: true
  /**
   * The answer without what only a program can use, such as the bytes of an image; the answer itself where it has none.
   * The journal keeps this, a command line prints it, and it alone is cut to the limit of an answer.
   */
  readonly abridge?: (output: z.output<Out>) => z.output<Out>
  /** After so many calls of it in a task, a call should say in its `justification` why it is needed. */
  readonly justifiedAfter?: number
  /** Where this tool names a failure differently from its contract. */
  readonly codes?: Partial<Readonly<Record<Code, string>>>
}

export interface Example<Input = unknown> {
  readonly input: Input
  readonly output?: unknown
  /** Files that must be there for the example to hold. */
  readonly files?: Readonly<Record<string, string>>
  /** Pages that must be there, by URL; no example reaches the real web. */
  readonly web?: Readonly<Record<string, string>>
  /** Files of the connected repository that must be there. */
  readonly repository?: Readonly<Record<string, string>>
  /** Calls of the same contract that must have been made. */
  readonly before?: readonly { readonly tool: string; readonly input: unknown }[]
  /** They must have been made in the same session. */
  readonly sameSession?: true
}

/** Limits of one tool within one named task. */
export interface Budget {
  readonly calls?: number
  readonly bytes?: number
  readonly concurrent?: number
}

/** A budget and the tools that are counted together for it. */
export interface ToolBudget extends Budget {
  /** A tool's id, or what stands for several: `sage/*`, `Read`, `*`. */
  readonly tool: string
}

export interface CallContext {
  readonly signal: AbortSignal
  /** Milliseconds after which nobody waits for the answer any more. */
  readonly timeoutMs: number
  /** The secrets that the input of a command names: they go into its environment, never into its text. */
  readonly secrets?: ReadonlyMap<string, string>
  /** How long whoever calls waits for something slow that there is a quicker answer for, where the input does not say. */
  readonly waitMs?: number
  /** How much of an answer whoever calls can take; a tool that can be asked for the rest gives no more than that. */
  readonly room?: AnswerRoom
  /** Tells what the call is doing; there where somebody listens. */
  readonly tell?: (text: string) => void
  /** Passes on what a command prints while it runs; there where somebody listens. */
  readonly emit?: (chunk: OutputChunk) => void
  /** Output that is kept longer than the call goes through this, so that no secret is kept with it. */
  readonly conceal?: () => ConcealStream
  /** Asks a person about a program that is about to start, while the call's own time stands; says why not where the answer is no. */
  readonly askStart?: (start: AskedStart) => Promise<string | undefined>
  /**
   * Waits until no other command lands what it changed; none does from then on, until the call is over. Reports whether
   * one has since the call began. There where commands run side by side.
   */
  readonly land?: () => Promise<boolean>
  /** Says that there is more, and how to ask for it, where the answer itself has no place for that. */
  readonly next?: (cursor: string) => void
  /** Adds to the record of this call. */
  readonly note?: (facts: RunFacts) => void
}

/** A tool as it is written: a schema may be given as a function, so that it is built when the tool is first looked at. */
interface Definition<In extends z.ZodType, Out extends z.ZodType, Engines, Name extends string> extends Omit<
  Tool<In, Out, Engines, Name>,
  'input' | 'output'
> {
  readonly input: In | (() => In)
  readonly output: Out | (() => Out)
}

/** Makes a tool from its definition; the engine type is fixed, and everything else is inferred. */
export type DefineTool<Engines> = <In extends z.ZodType, Out extends z.ZodType, const Name extends string>(
  definition: Definition<In, Out, Engines, Name>,
) => Tool<In, Out, Engines, Name>

/** Fixes the engine type once, so that tool files infer everything else. */
export const toolFactory =
  <Engines>(): DefineTool<Engines> =>
  definition => {
    const { input, output, ...rest } = definition
    const [takes, gives] = [schema(input), schema(output)]
    return {
      ...rest,
      get input() {
        return takes()
      },
      get output() {
        return gives()
      },
    }
  }

const schema = <T extends z.ZodType>(given: T | (() => T)): (() => T) =>
  typeof given === 'function' ? once(given) : () => given

/** The risk of a tool, as documents print it. */
export type Risk = 'read_only' | 'safe_write' | 'dangerous'

/** The risk of a tool follows from its effects and is never written by hand. */
export const riskOf = (effects: readonly Effect[]): Risk => {
  if (effects.some(effect => effect === 'write' || effect === 'exec' || effect === 'net')) return 'dangerous'
  return effects.includes('create') ? 'safe_write' : 'read_only'
}

/** The same where the effects of a tool say less than the tool does. */
export const toolRisk = ({
  effects,
  onlyReads,
}: {
  readonly effects: readonly Effect[]
  readonly onlyReads?: true
}): Risk => (onlyReads ? 'read_only' : riskOf(effects))
