import type { CodeFault, UnfitCall } from '../../../kernel/edit-effects.ts'
import type { HiddenFiles } from '../servers/hidden-files.ts'

/** Texts over the disk, by path; null for a removed file. */
export type Overlay = Readonly<Record<string, string | null>>

/** One change to judge; plain data, so that another process can be asked. */
export interface EditQuestion {
  /** The view that the change belongs to: the next question of the same view ends the judging of this one. */
  readonly view: string
  /** Both sides name every changed path, so that neither depends on when the change lands. */
  readonly before: Overlay
  readonly after: Overlay
  /** The paths that this change is about. */
  readonly changed: readonly string[]
  /** Files hidden from the caller; the texts contain none of them. */
  readonly hidden: HiddenFiles
  readonly deadlineMs: number
  /** Returns only when everything is judged or the deadline has passed. */
  readonly complete: boolean
  /** The change was answered already: this question does not protect it from being overtaken. */
  readonly isLater?: true
}

/** The findings about a change, before permissions are applied. */
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
  /** Judging was stopped, because a newer change came or no caller was left. */
  readonly isStopped?: true
}

/** Judges changes, and continues after the caller has left. */
export interface EffectsWork {
  /** Reports whether a change of this file may need judging. */
  concerns(path: string): boolean
  /** Reports whether a server judges one of these files. */
  serves(changed: readonly string[]): Promise<boolean>
  /**
   * Returns undefined if no server judges the language of a changed file. Calls `onSent` once another process has the
   * question.
   */
  judge(question: EditQuestion, signal?: AbortSignal, onSent?: () => void): Promise<FoundEffects | undefined>
  /** Stops judging: no caller is left. */
  giveUp(): void
  close(): void
}

/** The errors of files, by `PROOF PATH`: a result stays valid whenever the workspace returns to that state. */
export type DiagnosticMemory = Map<string, readonly CodeFault[]>
