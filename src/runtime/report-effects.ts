import { ensureNoNewErrors } from '../guards/new-errors.ts'
import type { EditEffects, EffectsMode, LateEffects } from '../kernel/edit-effects.ts'
import type { Contract } from '../kernel/contract.ts'
import { cancelled } from './deadline.ts'
import type { Opened, Session } from './session.ts'

interface JudgedCall {
  readonly name: string
  readonly input: unknown
  readonly options: { readonly effects?: EffectsMode; readonly dryRun?: boolean; readonly signal?: AbortSignal }
}

/** The longest wait for complete effects. */
const COMPLETE_MS = 120_000

interface ReportedEffects {
  readonly effects: EditEffects
  /** Reports the rest of this change in a later answer, if some files are not judged yet. */
  readonly rest: ((change: string) => void) | undefined
}

/**
 * Returns what the changes of a call break, before they land; undefined if not requested or unknown. Throws `conflict`
 * if that is a reason not to land them.
 */
export async function reportEffects<Engines>(
  { effects: rules, lateEffects }: Pick<Session<Engines>, 'effects' | 'lateEffects'>,
  contract: Contract<Engines>,
  opened: Opened<Engines>,
  { name, input, options }: JudgedCall,
): Promise<ReportedEffects | undefined> {
  const asked = contract.tellsEffects ? (options.effects ?? saidIn(input) ?? rules.mode) : 'off'
  const mode = asked === 'quick' && rules.sameAgain ? 'off' : asked
  const isGuarded = rules.refuse === 'new-errors' && !options.dryRun
  if (!opened.effects || (mode === 'off' && !isGuarded)) return undefined
  const judged = await opened.effects({
    mode,
    deadlineMs: mode === 'quick' ? rules.deadlineMs : COMPLETE_MS,
    landingMs: isGuarded ? COMPLETE_MS : undefined,
    signal: options.signal,
  })
  if (options.signal?.aborted) throw cancelled(name, options.signal)
  if (!judged?.effects) return undefined
  if (isGuarded && judged.lands) ensureNoNewErrors(judged.effects)
  if (mode === 'off') return undefined
  const { effects, later } = judged
  return { effects, rest: later && lateEffects && (id => void tellLater(lateEffects, later(id))) }
}

async function tellLater(told: LateEffects[], later: Promise<LateEffects | undefined>): Promise<void> {
  // If it cannot be judged, its own answer has said so.
  const late = await later.catch(() => undefined)
  if (!late) return
  // Of one transaction the newest report has all of the others.
  const older = told.findIndex(({ id }) => id === late.id)
  if (older !== -1) told.splice(older, 1)
  told.push(late)
}

/** Returns the mode in the input of the call. */
function saidIn(input: unknown): EffectsMode | undefined {
  const said: unknown = Reflect.get(Object(input), 'effects')
  return said === 'off' || said === 'quick' || said === 'complete' ? said : undefined
}
