import type { CallScope } from '../../../machine/workspace/call-scope.ts'
import { whileHidden } from '../servers/while-hidden.ts'
import { readableChanges, type Changes } from './edit-question.ts'
import type { EditQuestion, EffectsWork, FoundEffects } from './types.ts'

export interface JudgeParts extends Pick<CallScope, 'root' | 'unreadable'> {
  readonly work: EffectsWork
}

/** Judges changes without files that may not be read. Failing to judge a change must not fail the change. */
export async function judgeChanges(
  { root, work, unreadable }: JudgeParts,
  all: Changes,
  { deadlineMs, ...how }: Pick<EditQuestion, 'view' | 'deadlineMs' | 'complete' | 'isLater'>,
  signal: AbortSignal | undefined,
  onSent?: () => void,
): Promise<FoundEffects | undefined> {
  const since = performance.now()
  const { changes, isWhole } = readableChanges(all, unreadable, work.concerns)
  // Searching and judging again count towards the question's time.
  const remaining = () => Math.max(1, deadlineMs - (performance.now() - since))
  try {
    const effects = changes.changed.some(work.concerns)
      ? await whileHidden(root, unreadable, hidden =>
          work.judge({ ...changes, ...how, hidden, deadlineMs: remaining() }, signal, onSent),
        )
      : undefined
    if (isWhole) return effects
    const { left, ...knownEffects } = effects ?? unjudgedEffects([], UNREAD)
    return { ...knownEffects, complete: false, left: Math.max(1, left), why: knownEffects.why ?? UNREAD }
  } catch (error) {
    return unjudgedEffects(changes.changed, error instanceof Error ? error.message : String(error))
  }
}

const UNREAD = 'No language server is shown files that may not be read'

/** The effects of changes that were not judged, and why. */
export const unjudgedEffects = (changedPaths: readonly string[], why: string): FoundEffects => ({
  changed: changedPaths,
  introduced: [],
  cured: [],
  callers: [],
  tests: [],
  complete: false,
  left: Math.max(1, changedPaths.length),
  unjudged: [],
  why,
})
