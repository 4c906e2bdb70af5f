import { ensureNoNewErrors } from '../guards/new-errors.ts'
import type { EditEffects, EffectsMode, LateEffects } from '../kernel/edit-effects.ts'
import type { Contract } from '../kernel/contract.ts'
import { cancellationError } from './deadline.ts'
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
 * Asks what the changes of a call break, before they land, and returns how to get the answer; undefined if it is not
 * requested. Throws `conflict` if the answer is a reason not to land them.
 */
export async function askEffects<Engines>(
  { effects: rules, lateEffects }: Pick<Session<Engines>, 'effects' | 'lateEffects'>,
  contract: Contract<Engines>,
  callEngines: Opened<Engines>,
  { name, input, options }: JudgedCall,
): Promise<(() => Promise<ReportedEffects | undefined>) | undefined> {
  const requestedMode = contract.tellsEffects ? (options.effects ?? saidIn(input) ?? rules.mode) : 'off'
  const mode = requestedMode === 'quick' && rules.sameAgain ? 'off' : requestedMode
  const isGuarded = rules.refuse === 'new-errors' && !options.dryRun
  if (!callEngines.effects || (mode === 'off' && !isGuarded)) return undefined
  const requestSent = Promise.withResolvers<void>()
  const judging = callEngines.effects({
    mode,
    deadlineMs: mode === 'quick' ? rules.deadlineMs : COMPLETE_MS,
    landingMs: isGuarded ? COMPLETE_MS : undefined,
    signal: options.signal,
    onSent: requestSent.resolve,
  })
  // A short answer comes while the change lands. A long one is waited for first: the caller may cancel the call.
  await (isGuarded || mode !== 'quick' ? judging : Promise.race([judging, requestSent.promise]))
  if (options.signal?.aborted) throw cancellationError(name, options.signal)
  if (isGuarded) {
    const judgement = await judging
    if (judgement?.effects && judgement.lands) ensureNoNewErrors(judgement.effects)
  }
  if (mode === 'off') return undefined
  // Once the change has landed, nothing about its effects may fail it.
  const judgementIfAny = judging.catch(() => undefined)
  return async () => {
    const { effects, later } = (await judgementIfAny) ?? {}
    return effects && { effects, rest: later && lateEffects && (id => void tellLater(lateEffects, later(id))) }
  }
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
  const mode: unknown = Reflect.get(Object(input), 'effects')
  return mode === 'off' || mode === 'quick' || mode === 'complete' ? mode : undefined
}
