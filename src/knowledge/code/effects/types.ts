import type { CodeFault, UnfitCall } from '../../../kernel/edit-effects.ts'
import type { HiddenFiles } from '../servers/hidden-files.ts'

/** Texts that stand over the disk, by path; null if nothing is. */
export type Overlay = Readonly<Record<string, string | null>>

/** One change to be judged; plain data, so that another process can be asked. */
export interface EditQuestion {
  /** Whose work it is: the next question of the same view ends what is still being judged for this one. */
  readonly view: string
  /** Both sides name every changed path, so that neither depends on when the change lands. */
  readonly before: Overlay
  readonly after: Overlay
  /** The paths that this change is about. */
  readonly changed: readonly string[]
  /** What is not there for whoever asks; none of it is in the texts. */
  readonly hidden: HiddenFiles
  readonly deadlineMs: number
  /** Returns nothing before all is judged or the deadline is past. */
  readonly complete: boolean
  /** The change was answered already: whoever wants to know this does not keep it from being overtaken. */
  readonly isLater?: true
}

/** What is known of a change, before anybody's rights are considered. */
export interface FoundEffects {
  readonly changed: readonly string[]
  readonly introduced: readonly CodeFault[]
  readonly cured: readonly CodeFault[]
  readonly callers: readonly UnfitCall[]
  readonly tests: readonly string[]
  readonly complete: boolean
  readonly left: number
  readonly unjudged: readonly string[]
  readonly why?: string
}

/** Judges changes, and goes on with it when whoever asked has gone. */
export interface EffectsWork {
  /** Reports whether a change of this file may be for somebody to judge. */
  concerns(path: string): boolean
  /** Reports whether somebody judges one of these files. */
  serves(changed: readonly string[]): Promise<boolean>
  /** Undefined if no changed file has a language that anybody judges. */
  judge(question: EditQuestion, signal?: AbortSignal): Promise<FoundEffects | undefined>
  /** Ends what is being judged: nobody is there any more who would hear of it. */
  giveUp(): void
  close(): void
}

/** The errors of files, by `PROOF PATH`: what was judged once is known whenever the workspace is as it was then. */
export type DiagnosticMemory = Map<string, readonly CodeFault[]>
