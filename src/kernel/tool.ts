import type { z } from 'zod'
import type { AnswerRoom } from './answer-room.ts'
import type { Claim, Effect, Facts } from './claim.ts'
import type { Code } from './error.ts'
import type { Loading } from './loading.ts'
import type { LandedPart } from './hunks.ts'
import { once } from './once.ts'
import type { SessionState } from './open-options.ts'
import type { ConcealStream, OutputChunk, RunFacts } from './run-facts.ts'
import type { StartQuestion } from './start-rules.ts'
import type { CommandForm } from './tool-command.ts'

/**
 * One capability as its contract publishes it: data and two functions, without I/O of its own.
 *
 * The bound of its schemas is the smallest that has their types: comparing each with all of `ZodType` would add several
 * seconds to every compilation against the declarations.
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
  /** Upper bound of what any call may claim. Risk, hints and read-only registries derive from it. */
  readonly effects: readonly Effect[]
  /** Its effects change nothing, here or elsewhere: a host that it reaches is only read. */
  readonly onlyReads?: true
  /** It may take long and only reads, so a change that is called later does not wait for it. */
  readonly yields?: true
  /** `$ENV.NAME` in its input is text, and never filled in: what it stores is read again by others. */
  readonly plainInput?: true
  /** Returns what this call will touch. Nothing else can be opened, whatever `run` does. */
  readonly claims: (input: z.output<In>, facts: Facts) => readonly Claim[]
  readonly run: (input: z.output<In>, engines: Engines, call: CallContext) => Promise<z.input<Out>> | z.input<Out>
  /** Docs, prompts, forms and conformance tests come from these. */
  readonly examples: readonly Example<z.input<In>>[]
  readonly timeoutMs?: number
  /** What may have to load before the time of a call begins. */
  readonly loads?: 'the language server' | 'the embedding model'
  /** Returns how long a call with this input waits for something slow; its timeout is at least that. */
  readonly waitMs?: (input: z.output<In>) => number | undefined
  readonly budget?: Budget
  /** Returns the size of an answer that counts against a byte budget; its whole size by default. */
  readonly weigh?: (output: z.output<Out>) => number
  /** Names what an answer returns. The budget reports how many different ones were returned. */
  readonly gives?: (output: z.output<Out>) => string
  /** Its answers are new objects and match `output`, as its tests check: a call does not match them again. */
  readonly trusted?: true
  /** A cut keeps the end of a long text as well as its beginning, because both matter. */
  readonly keepsEnd?: true
  /**
   * Returns the answer without parts that only a program can use, such as the bytes of an image; the answer itself if
   * it has none. The journal keeps this, a command line prints it, and only this is cut to the limit of an answer.
   */
  readonly abridge?: (output: z.output<Out>) => z.output<Out>
  /**
   * Returns the answer of a call of which a person accepted only a part. A tool without it is approved as a whole.
   */
  readonly partly?: (output: z.output<Out>, landed: readonly LandedPart[]) => z.output<Out>
  /** After this many calls in a task, a call should give its reason in `justification`. */
  readonly justifiedAfter?: number
  /** State of the session that no claim can name and that its run works on; anything else of it is closed. */
  readonly uses?: readonly SessionState[]
  /** How to type it as a command, unless its schema says enough: each required text in its order. */
  readonly command?: CommandForm
  /** Codes that this tool names differently from its contract. */
  readonly codes?: Partial<Readonly<Record<Code, string>>>
}

export interface Example<Input = unknown> {
  readonly input: Input
  readonly output?: unknown
  /** Files that must exist for the example to hold. */
  readonly files?: Readonly<Record<string, string>>
  /** Pages that must exist, by URL; no example reaches the real web. */
  readonly web?: Readonly<Record<string, string>>
  /** Files of the connected repository that must exist. */
  readonly repository?: Readonly<Record<string, string>>
  /** Past fixes that must be stored. */
  readonly fixes?: readonly object[]
  /** Calls of the same contract that must come first. */
  readonly before?: readonly { readonly tool: string; readonly input: unknown }[]
  /** These calls must be in the same session. */
  readonly sameSession?: true
}

/** Limits of one tool within one named task. */
export interface Budget {
  readonly calls?: number
  readonly bytes?: number
  readonly concurrent?: number
}

/** A budget, and the tools that it counts together. */
export interface ToolBudget extends Budget {
  /** A tool's id, or a pattern for several: `sage/*`, `Read`, `*`. */
  readonly tool: string
}

/** The source of an answer's bytes. */
export interface GivenContent {
  /** sha256 of the whole content, of which the answer may be a part. */
  readonly content: string
  /** It came from a cache: bytes that the task has already paid for are free. */
  readonly isRemembered: boolean
}

export interface CallContext {
  readonly signal: AbortSignal
  /** Milliseconds until the caller stops waiting for the answer. */
  readonly timeoutMs: number
  /** The secrets that the input of a command names. They go into its environment, never into its text. */
  readonly secrets?: ReadonlyMap<string, string>
  /** How long the caller waits for something slow if a quicker answer exists, unless the input says. */
  readonly waitMs?: number
  /** The size of an answer that the caller accepts. A tool that can return the rest later stays within it. */
  readonly room?: AnswerRoom
  /** For what has to load before it can answer; absent in a preview. */
  readonly loading?: Loading
  /** Reports what the call is doing; present if the caller listens. */
  readonly tell?: (text: string) => void
  /** Passes on the output of a command while it runs; present if the caller listens. */
  readonly emit?: (chunk: OutputChunk) => void
  /** Filters output that is kept longer than the call, so that no secret is kept with it. */
  readonly conceal?: () => ConcealStream
  /** Stores bytes without secrets, and returns their reference: `ref:ID`. */
  readonly keep?: (bytes: Buffer) => string
  /**
   * Asks a person about a program that is about to start, and stops the call's timeout meanwhile. Returns why not if
   * the answer is no.
   */
  readonly askStart?: (start: StartQuestion) => Promise<string | undefined>
  /**
   * Waits until no other command lands its changes, and blocks them until the call is over. Reports whether one has
   * landed since the call began. Present if commands run side by side.
   */
  readonly land?: () => Promise<boolean>
  /** Says how to request the rest, if the answer itself has no place for that. */
  readonly next?: (cursor: string) => void
  /** Says what the answer is a part of, so that a budget of bytes counts no remembered byte twice. */
  readonly partOf?: (whole: GivenContent) => void
  /** Adds a warning about the call to `meta.warnings` and to its record, if the answer itself has no place for it. */
  readonly warn?: (text: string) => void
  /** Adds to the record of this call. */
  readonly note?: (facts: RunFacts) => void
}

/** A tool as it is written. A schema may be a function, so that it is built on first use. */
interface Definition<In extends z.ZodType, Out extends z.ZodType, Engines, Name extends string> extends Omit<
  Tool<In, Out, Engines, Name>,
  'input' | 'output'
> {
  readonly input: In | (() => In)
  readonly output: Out | (() => Out)
}

/** Creates a tool from its definition. The engine type is fixed; everything else is inferred. */
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

/** Returns the risk of a tool, which follows from its effects and is never written by hand. */
export const riskOf = (effects: readonly Effect[]): Risk => {
  if (effects.some(effect => effect === 'write' || effect === 'exec' || effect === 'net')) return 'dangerous'
  return effects.includes('create') ? 'safe_write' : 'read_only'
}

/** The same, except that an `onlyReads` tool is read-only whatever its effects. */
export const toolRisk = ({
  effects,
  onlyReads,
}: {
  readonly effects: readonly Effect[]
  readonly onlyReads?: true
}): Risk => (onlyReads ? 'read_only' : riskOf(effects))
