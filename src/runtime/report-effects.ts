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
 * Asks what the changes of a call break, before they land, and returns how to get the answer; undefined if it is not
 * requested. Throws `conflict` if the answer is a reason not to land them.
 */
export async function askEffects<Engines>(
  { effects: rules, lateEffects }: Pick<Session<Engines>, 'effects' | 'lateEffects'>,
  contract: Contract<Engines>,
  opened: Opened<Engines>,
  { name, input, options }: JudgedCall,
): Promise<(() => Promise<ReportedEffects | undefined>) | undefined> {
  const asked = contract.tellsEffects ? (options.effects ?? saidIn(input) ?? rules.mode) : 'off'
  const mode = asked === 'quick' && rules.sameAgain ? 'off' : asked
  const isGuarded = rules.refuse === 'new-errors' && !options.dryRun
  if (!opened.effects || (mode === 'off' && !isGuarded)) return undefined
  const sent = Promise.withResolvers<void>()
  const judging = opened.effects({
    mode,
    deadlineMs: mode === 'quick' ? rules.deadlineMs : COMPLETE_MS,
    landingMs: isGuarded ? COMPLETE_MS : undefined,
    signal: options.signal,
    onSent: sent.resolve,
  })
  // A short answer comes while the change lands. A long one is waited for first: the caller may cancel the call.
  await (isGuarded || mode !== 'quick' ? judging : Promise.race([judging, sent.promise]))
  if (options.signal?.aborted) throw cancelled(name, options.signal)
  if (isGuarded) {
    const judged = await judging
    if (judged?.effects && judged.lands) ensureNoNewErrors(judged.effects)
  }
  if (mode === 'off') return undefined
  // Once the change has landed, nothing about its effects may fail it.
  const known = judging.catch(() => undefined)
  return async () => {
    const { effects, later } = (await known) ?? {}
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
  const said: unknown = Reflect.get(Object(input), 'effects')
  return said === 'off' || said === 'quick' || said === 'complete' ? said : undefined
}
