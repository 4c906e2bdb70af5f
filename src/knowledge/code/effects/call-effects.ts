import type { EditEffects, EffectsMode, LateEffects } from '../../../kernel/edit-effects.ts'
import type { CallScope } from '../../../machine/workspace/call-scope.ts'
import type { LaterEffects, LaterOptions } from '../types.ts'
import { askedEffects, LANDED, type AskedParts } from './asked-effects.ts'
import { textOnDisk } from './backlog.ts'
import { editQuestion, type Changes } from './edit-question.ts'
import { createFindings } from './findings.ts'
import { judgeChanges, unjudgedEffects } from './judge-changes.ts'
import type { EditQuestion, FoundEffects } from './types.ts'
import { visibleEffects } from './visible-effects.ts'

export interface CallEffectsParts extends AskedParts, Pick<CallScope, 'staging' | 'preview'> {
  /** Reports whether the call lands its transaction. */
  commits(): boolean
  /** The number of places that the call's refactoring left undecided. */
  undecided(): number
}

export interface CallEffects {
  /** Returns what the call's changes break. */
  judged(wish: Wish): Promise<Judged | undefined>
  /** Returns everything about the staged changes; if nothing is staged, about the last or the named landed change. */
  later(options: LaterOptions): Promise<LaterEffects>
}

interface Wish {
  readonly mode: EffectsMode
  readonly deadlineMs: number
  /** How long to wait for a full judgement of a change that is about to land. */
  readonly landingMs: number | undefined
  readonly signal: AbortSignal | undefined
  /** Called once another process has the question. */
  readonly onSent: () => void
}

interface Judged {
  readonly effects: EditEffects | undefined
  readonly lands: boolean
  /** Returns the full effects under the change's id if only time was lacking; undefined if they cannot be found. */
  readonly later?: (id: string) => Promise<LateEffects | undefined>
}

/** An answered change is judged for at most 20 s. */
const LATER = { deadlineMs: 20_000, complete: true, isLater: true } as const

export function callEffects(parts: CallEffectsParts): CallEffects {
  const { root, work, backlog, mayRead, staging, transaction } = parts
  return {
    async judged({ mode, deadlineMs, landingMs, ...asking }) {
      const commits = parts.commits()
      const lands = commits || !transaction
      const patience = lands ? landingMs : undefined
      if (mode === 'off' && patience === undefined) return { effects: undefined, lands }
      const layer = commits && transaction ? transaction.staging() : staging
      const layerChanges = layer.own()
      // No server judges these files, so their texts are not read.
      if (layerChanges.length <= MOST_CHANGED && !layerChanges.some(([path]) => work.concerns(path))) return undefined
      const changes = layerChanges.length > MOST_CHANGED ? undefined : editQuestion(root, layer)
      if (changes?.changed.length === 0) return undefined
      const view = lands ? LANDED : `in ${transaction?.id}`
      const question = {
        view: parts.preview ? `look ${view}` : view,
        deadlineMs: patience ?? deadlineMs,
        complete: patience !== undefined || mode === 'complete',
      }
      const judgedEffects = changes ? await firstJudged(changes, question, asking) : unjudgedEffects([], TOO_MANY)
      if (!judgedEffects) return undefined
      const isOpen = !question.complete && judgedEffects.left > 0 && judgedEffects.why === undefined
      const rest = lands ? restOfLanded : restOfStaged
      const hasRest = changes && !parts.preview && (isOpen || (lands && !backlog.isEmpty()))
      return {
        effects: visibleEffects(judgedEffects, mayRead, parts.undecided()),
        lands,
        ...(hasRest && { later: id => rest(id, changes, view) }),
      }
    },
    later: askedEffects(parts),
  }

  /** Does not wait for a server that was late last time: answers the change at once, and judges it after it lands. */
  async function firstJudged(
    changes: Changes,
    question: Pick<EditQuestion, 'view' | 'deadlineMs' | 'complete'>,
    { signal, onSent }: Pick<Wish, 'signal' | 'onSent'>,
  ): Promise<FoundEffects | undefined> {
    const { changed } = changes
    const isAwaited = question.complete || parts.preview || backlog.isQuick(changed, question.deadlineMs)
    if (!isAwaited)
      return changed.some(work.concerns) && (await work.serves(changed)) ? createFindings(changed).sofar() : undefined
    const since = performance.now()
    const judgedEffects = await judgeChanges(parts, changes, question, signal, onSent)
    // What is complete was so by the deadline, even if the answer waited here until the change had landed.
    const took = Math.min(performance.now() - since, question.deadlineMs)
    if (judgedEffects) backlog.took(changed, judgedEffects.complete ? took : Infinity)
    return judgedEffects
  }

  async function restOfLanded(id: string, changes: Changes, view: string): Promise<LateEffects | undefined> {
    const pending = backlog.add(id, changes, textOnDisk(root))
    if (pending.changed.length === 0) return void backlog.settle(pending)
    const since = performance.now()
    const first = await judgeChanges(parts, pending, { view, ...LATER }, undefined)
    await backlog.asked(pending)
    // A later change took this one along, and both are judged together; or someone asked, and was answered.
    if (!backlog.isNewest(pending)) return undefined
    // Another session changed the workspace, which stopped this one.
    const judgedEffects = first?.isStopped
      ? await judgeChanges(parts, pending, { view: `of ${id}`, ...LATER }, undefined)
      : first
    if (judgedEffects?.isStopped || !backlog.isNewest(pending)) return undefined
    if (judgedEffects?.complete) backlog.took(changes.changed, performance.now() - since)
    const isLast = !judgedEffects || judgedEffects.left === 0 || judgedEffects.why !== undefined
    if (isLast) backlog.settle(pending)
    // Last chance to report: say that it was not judged, and why.
    const effects =
      judgedEffects &&
      (isLast ? visibleEffects(judgedEffects, mayRead, parts.undecided()) : worthReporting(judgedEffects))
    const earlier = pending.ids.slice(0, -1)
    return effects && { id, ...(earlier.length > 0 && { earlier }), effects }
  }

  /** Judges all that is staged by now. Each change of the transaction stops the report before it, and says as much. */
  async function restOfStaged(id: string, changes: Changes, view: string): Promise<LateEffects | undefined> {
    const transactionStaging = transaction?.staging()
    const isAll = transactionStaging !== undefined && transactionStaging.own().length <= MOST_CHANGED
    const all = isAll ? editQuestion(root, transactionStaging) : changes
    if (all.changed.length === 0) return undefined
    const judgedEffects = await judgeChanges(parts, all, { view: isAll ? `rest of ${id}` : view, ...LATER }, undefined)
    // What has landed is judged as landed, and what was rolled back breaks nothing.
    const isOver = isAll && transaction?.staging().isEmpty()
    const effects = judgedEffects && !judgedEffects.isStopped && !isOver ? worthReporting(judgedEffects) : undefined
    return effects && { id, effects }
  }

  function worthReporting(found: FoundEffects): EditEffects | undefined {
    return found.complete || found.introduced.length > 0 ? visibleEffects(found, mayRead, parts.undecided()) : undefined
  }
}

/** More than anyone writes by hand. */
const MOST_CHANGED = 1_000
const TOO_MANY = `more than ${MOST_CHANGED} files were changed at once`
