import {
  effectsSummary,
  type EditEffects,
  type EffectsMode,
  type LateEffects,
  type Listed,
} from '../../../kernel/edit-effects.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { CallScope } from '../../../machine/workspace/call-scope.ts'
import type { LandedChange } from '../../../machine/workspace/commit/landed-change.ts'
import { createStaging, type Staging } from '../../../machine/workspace/staging.ts'
import type { LaterEffects, LaterOptions } from '../types.ts'
import { visibleText } from '../visible-text.ts'
import { whileHidden } from '../servers/while-hidden.ts'
import { upToNow, type Backlog, type Pending } from './backlog.ts'
import { editQuestion, readableChanges, type Changes } from './edit-question.ts'
import { createFindings } from './findings.ts'
import type { EditQuestion, EffectsWork, FoundEffects } from './types.ts'

export interface CallEffectsParts extends Pick<CallScope, 'root' | 'mayRead' | 'unreadable' | 'staging' | 'preview'> {
  readonly work: EffectsWork
  readonly backlog: Backlog
  /** The transaction of the call. */
  readonly transaction: { readonly id: string; staging(): Staging } | undefined
  /** Reports whether the call lands its transaction. */
  commits(): boolean
  /** Returns a landed change, by default the newest; undefined if there is none. */
  landed(id: string | undefined): LandedChange | undefined
  /** The number of places that the call's refactoring left undecided. */
  undecided(): number
}

export interface CallEffects {
  /** Returns what the call's changes break. */
  judged(wish: Wish): Promise<Judged | undefined>
  /** Returns everything about the staged changes; if nothing is staged, about the last or the named landed change. */
  later(options: LaterOptions): Promise<LaterEffects>
}

type AskedHow = Pick<LaterOptions, 'deadlineMs' | 'signal'>

interface AskedEffects {
  readonly changes: Changes
  readonly found: FoundEffects | undefined
}

interface Wish {
  readonly mode: EffectsMode
  readonly deadlineMs: number
  /** How long to wait for a full judgement of a change that is about to land. */
  readonly landingMs: number | undefined
  readonly signal: AbortSignal | undefined
}

interface Judged {
  readonly effects: EditEffects | undefined
  readonly lands: boolean
  /** Returns the full effects under the change's id if only time was lacking; undefined if they cannot be found. */
  readonly later?: (id: string) => Promise<LateEffects | undefined>
}

/** An answered change is judged for at most 20 s. */
const LATER = { deadlineMs: 20_000, complete: true, isLater: true } as const

/** Changes of the workspace itself, whatever made them. */
const LANDED = ''

export function callEffects(parts: CallEffectsParts): CallEffects {
  const { root, work, backlog, mayRead, staging, transaction } = parts
  return {
    async judged({ mode, deadlineMs, landingMs, signal }) {
      const commits = parts.commits()
      const lands = commits || !transaction
      const patience = lands ? landingMs : undefined
      if (mode === 'off' && patience === undefined) return { effects: undefined, lands }
      const layer = commits && transaction ? transaction.staging() : staging
      const own = layer.own()
      // No server judges these files, so their texts are not read.
      if (own.length <= MOST_CHANGED && !own.some(([path]) => work.concerns(path))) return undefined
      const changes = own.length > MOST_CHANGED ? undefined : editQuestion(root, layer)
      if (changes?.changed.length === 0) return undefined
      const view = lands ? LANDED : `in ${transaction?.id}`
      const question = {
        view: parts.preview ? `look ${view}` : view,
        deadlineMs: patience ?? deadlineMs,
        complete: patience !== undefined || mode === 'complete',
      }
      const found = changes ? await firstJudged(changes, question, signal) : unknown([], TOO_MANY)
      if (!found) return undefined
      const isOpen = !question.complete && found.left > 0 && found.why === undefined
      const rest = lands ? restOfLanded : restOfStaged
      const hasRest = changes && !parts.preview && (isOpen || (lands && !backlog.isEmpty()))
      return {
        effects: visibleEffects(found, mayRead, parts.undecided()),
        lands,
        ...(hasRest && { later: id => rest(id, changes, view) }),
      }
    },
    async later({ id, ...how }) {
      const all = id === undefined || id === transaction?.id ? transaction?.staging() : undefined
      if (all && !all.isEmpty()) return told(await asked(editQuestion(root, all), `all of ${transaction?.id}`, how))
      const change = landedOf(parts, id)
      if (!change) return { changed: [], note: 'Nothing is staged, and nothing has landed yet' }
      const pending = backlog.holding(change.id)
      return pending ? waiting(pending, change.id, how) : landed(change, how)
    },
  }

  /** Judges a change together with all that is not judged yet, so that neither stops the other. */
  async function waiting(pending: Pending, id: string, how: AskedHow): Promise<LaterEffects> {
    const changes = upToNow(pending, textNow())
    const found = await backlog.ask(pending, async () => {
      const answer = await asked(changes, LANDED, how)
      if (answer.found?.complete) backlog.settle(pending)
      return answer
    })
    const others = pending.ids.filter(each => each !== id)
    return told(found, others.length > 0 ? `Judged together with ${others.join(', ')}, not judged yet either` : '')
  }

  async function landed({ id, before, changedSince }: LandedChange, how: AskedHow): Promise<LaterEffects> {
    const changes = swapped(editQuestion(root, before))
    const since = changedSince.filter(mayRead).join(', ')
    // A view of its own: it stops no judging of newer changes.
    const found = await asked(changes, `of ${id}`, how)
    return told(found, since === '' ? '' : `Includes later changes of the same files: ${since}`)
  }

  async function asked(changes: Changes, view: string, { deadlineMs, signal }: AskedHow): Promise<AskedEffects> {
    return { changes, found: await judge(parts, changes, { view, deadlineMs, complete: true }, signal) }
  }

  function told({ changes, found }: AskedEffects, note = ''): LaterEffects {
    if (changes.changed.length === 0)
      return { changed: [], note: 'Nothing is left of this change: its files are as they were before it' }
    if (!found) return { changed: [], note: 'No language server judges the changed files' }
    const effects = visibleEffects(found, mayRead)
    return { changed: found.changed.filter(mayRead), effects, ...(note !== '' && { note }) }
  }

  function textNow(): (path: string) => string | null {
    const disk = createStaging()
    return path => visibleText(root, disk, path) ?? null
  }

  /** Does not wait for a server that was late last time: answers the change at once, and judges it after it lands. */
  async function firstJudged(
    changes: Changes,
    question: Pick<EditQuestion, 'view' | 'deadlineMs' | 'complete'>,
    signal: AbortSignal | undefined,
  ): Promise<FoundEffects | undefined> {
    const { changed } = changes
    const isAwaited = question.complete || parts.preview || backlog.isQuick(changed, question.deadlineMs)
    if (!isAwaited)
      return changed.some(work.concerns) && (await work.serves(changed)) ? createFindings(changed).sofar() : undefined
    const since = performance.now()
    const found = await judge(parts, changes, question, signal)
    if (found) backlog.took(changed, found.complete ? performance.now() - since : Infinity)
    return found
  }

  async function restOfLanded(id: string, changes: Changes, view: string): Promise<LateEffects | undefined> {
    const pending = backlog.add(id, changes, textNow())
    if (pending.changed.length === 0) return void backlog.settle(pending)
    const since = performance.now()
    const first = await judge(parts, pending, { view, ...LATER }, undefined)
    await backlog.asked(pending)
    // A later change took this one along, and both are judged together; or someone asked, and was answered.
    if (!backlog.isNewest(pending)) return undefined
    // Another session changed the workspace, which stopped this one.
    const found = first?.isStopped ? await judge(parts, pending, { view: `of ${id}`, ...LATER }, undefined) : first
    if (found?.isStopped || !backlog.isNewest(pending)) return undefined
    if (found?.complete) backlog.took(changes.changed, performance.now() - since)
    const isLast = !found || found.left === 0 || found.why !== undefined
    if (isLast) backlog.settle(pending)
    // Last chance to report: say that it was not judged, and why.
    const effects = found && (isLast ? visibleEffects(found, mayRead, parts.undecided()) : worthReporting(found))
    const earlier = pending.ids.slice(0, -1)
    return effects && { id, ...(earlier.length > 0 && { earlier }), effects }
  }

  async function restOfStaged(id: string, changes: Changes, view: string): Promise<LateEffects | undefined> {
    const found = await judge(parts, changes, { view, ...LATER }, undefined)
    // A later change of the transaction stopped it: asking judges all of them.
    const effects = found && !found.isStopped ? worthReporting(found) : undefined
    return effects && { id, effects }
  }

  function worthReporting(found: FoundEffects): EditEffects | undefined {
    return found.complete || found.introduced.length > 0 ? visibleEffects(found, mayRead, parts.undecided()) : undefined
  }
}

function landedOf(parts: CallEffectsParts, id: string | undefined): LandedChange | undefined {
  try {
    return parts.landed(id)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const which = id === undefined ? 'the last change' : `change ${id}`
    if (error.code === 'not_found')
      throw new ToolError('not_found', `There is no ${which.replace('the ', '')} here, or it is too old`, {
        hint: 'Give the undo id that the answer of a change has, or none for the last change',
        cause: error,
      })
    if (error.code !== 'conflict') throw error
    throw new ToolError('conflict', `What ${which} broke is unknown: its files were moved or changed since`, {
      hint: 'Ask without an id for the last change, with the id of a later one, or check the whole project',
      cause: error,
    })
  }
}

/** Failing to judge a change must not fail the change. */
async function judge(
  { root, work, unreadable }: CallEffectsParts,
  all: Changes,
  { deadlineMs, ...how }: Pick<EditQuestion, 'view' | 'deadlineMs' | 'complete' | 'isLater'>,
  signal: AbortSignal | undefined,
): Promise<FoundEffects | undefined> {
  const since = performance.now()
  const { changes, isWhole } = readableChanges(all, unreadable, work.concerns)
  // Searching and judging again count towards the question's time.
  const remaining = () => Math.max(1, deadlineMs - (performance.now() - since))
  try {
    const found = changes.changed.some(work.concerns)
      ? await whileHidden(root, unreadable, hidden =>
          work.judge({ ...changes, ...how, hidden, deadlineMs: remaining() }, signal),
        )
      : undefined
    if (isWhole) return found
    const { left, ...known } = found ?? unknown([], UNREAD)
    return { ...known, complete: false, left: Math.max(1, left), why: known.why ?? UNREAD }
  } catch (error) {
    return unknown(changes.changed, error instanceof Error ? error.message : String(error))
  }
}

/** More than anyone writes by hand. */
const MOST_CHANGED = 1_000
const UNREAD = 'No language server is shown files that may not be read'
const TOO_MANY = `more than ${MOST_CHANGED} files were changed at once`

const unknown = (changed: readonly string[], why: string): FoundEffects => ({
  changed,
  introduced: [],
  cured: [],
  callers: [],
  tests: [],
  complete: false,
  left: Math.max(1, changed.length),
  unjudged: [],
  why,
})

const swapped = ({ before, after, changed }: Changes): Changes => ({ before: after, after: before, changed })

const MOST = { introduced: 50, cured: 20, callers: 20, tests: 20 }

/**
 * The findings without files that may not be read, shortened for a result. `undecided`: places that a refactoring left
 * though they may refer to its symbol.
 */
function visibleEffects(found: FoundEffects, mayRead: (path: string) => boolean, undecided = 0): EditEffects {
  const readable = <T extends { readonly path: string }>(list: readonly T[]) => list.filter(({ path }) => mayRead(path))
  const { introduced, cured, callers, tests, complete, left, unjudged, why } = found
  const told = {
    introduced: listed(readable(introduced), MOST.introduced),
    cured: listed(readable(cured), MOST.cured),
    callers: listed(readable(callers), MOST.callers),
    tests: listed(tests.filter(mayRead), MOST.tests),
    complete,
    left,
    unjudged,
    ...(why !== undefined && { why }),
  }
  return { summary: effectsSummary(told, undecided), ...told }
}

const listed = <T>(list: readonly T[], most: number): Listed<T> => ({ total: list.length, first: list.slice(0, most) })
