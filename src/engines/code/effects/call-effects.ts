import type { EditEffects, EffectsMode } from '../../../kernel/edit-effects.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { Hides } from '../../../kernel/hides.ts'
import type { Root } from '../../workspace/root.ts'
import type { Staging } from '../../workspace/staging.ts'
import { seenText } from '../seen-text.ts'
import { editQuestion } from './edit-question.ts'
import { tellable } from './tellable.ts'
import { toldEffects } from './told-effects.ts'
import type { EditQuestion, EffectsWork, FoundEffects } from './types.ts'

export interface CallEffectsParts {
  readonly root: Root
  readonly work: EffectsWork
  readonly mayRead: (path: string) => boolean
  readonly hides: Hides | undefined
  /** What the call stages. */
  readonly staging: Staging
  /** The transaction that the call is in. */
  readonly transaction: { readonly id: string; staging(): Staging } | undefined
  /** Nothing that the call does may land. */
  readonly preview: boolean
  /** Whether the call lands its transaction. */
  commits(): boolean
  /** What would take back a change that landed, the newest unless said; undefined where there is none. */
  inverse(id: string | undefined): Staging | undefined
}

export interface CallEffects {
  /** What the call breaks, as it would be with its changes. */
  judged(wish: Wish): Promise<Judged | undefined>
  /** Everything about what is staged, or where nothing is about the last change that landed; or about one that did. */
  later(options: LaterOptions): Promise<LaterEffects | undefined>
}

interface Wish {
  readonly mode: EffectsMode
  readonly deadlineMs: number
  /** Of a change that is about to land everything is wanted, and waited for so long. */
  readonly landingMs: number | undefined
  readonly signal: AbortSignal | undefined
}

interface Judged {
  readonly effects: EditEffects | undefined
  readonly lands: boolean
  /** New errors in files that may not be read. */
  readonly unseen: number
}

export interface LaterOptions {
  /** Of the change, as its answer gave it for undo. */
  readonly id?: string
  readonly deadlineMs: number
  readonly signal?: AbortSignal
}

export interface LaterEffects {
  /** The changed files that were judged. */
  readonly changed: readonly string[]
  readonly effects: EditEffects
}

/** Changes of the workspace itself, wherever they were made. */
const LANDED = ''

export function callEffects(parts: CallEffectsParts): CallEffects {
  const { root, work, mayRead, staging, transaction } = parts
  return {
    async judged({ mode, deadlineMs, landingMs, signal }) {
      const commits = parts.commits()
      const lands = commits || !transaction
      const patience = lands ? landingMs : undefined
      if (mode === 'off' && patience === undefined) return { effects: undefined, lands, unseen: 0 }
      const layer = commits && transaction ? transaction.staging() : staging
      const changes = layer.own().length > MOST_CHANGED ? undefined : editQuestion(root, layer)
      if (changes?.changed.length === 0) return undefined
      const view = lands ? LANDED : `in ${transaction?.id}`
      const question = {
        view: parts.preview ? `look ${view}` : view,
        deadlineMs: patience ?? deadlineMs,
        complete: patience !== undefined || mode === 'complete',
      }
      const found = changes ? await judge({ ...question, ...changes }, signal) : unknown([], TOO_MANY)
      if (!found) return undefined
      const unseen = found.introduced.filter(({ path }) => !mayRead(path)).length
      return { effects: told(found, changes, layer), lands, unseen }
    },
    async later({ id, deadlineMs, signal }) {
      const all = id === undefined ? transaction?.staging() : undefined
      const isStaged = all !== undefined && !all.isEmpty()
      const inverse = isStaged ? undefined : inverseOf(id)
      const changes = isStaged ? editQuestion(root, all) : inverse && swapped(editQuestion(root, inverse))
      if (!changes) return undefined
      const view = isStaged ? `all of ${transaction?.id}` : LANDED
      const found = await judge({ ...changes, view, deadlineMs, complete: true }, signal)
      return found && { changed: found.changed.filter(mayRead), effects: told(found, changes, staging) }
    },
  }

  function told(found: FoundEffects, changes: Changes | undefined, layer: Staging): EditEffects {
    const textsOf = (path: string) => [changes?.before[path], changes?.after[path] ?? seenText(root, layer, path)]
    return toldEffects(found, mayRead, tellable({ ...parts, staging: layer, textsOf }, found.changed))
  }

  function inverseOf(id: string | undefined): Staging | undefined {
    try {
      return parts.inverse(id)
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== 'conflict') throw error
      const which = id === undefined ? 'the last change' : `change ${id}`
      throw new ToolError('conflict', `What ${which} broke cannot be told: its files have been changed since`, {
        hint: 'Ask about a later change, by its undo id, or have the project checked as a whole',
        cause: error,
      })
    }
  }

  /** A change is no less a change where nobody can judge it. */
  async function judge(question: EditQuestion, signal: AbortSignal | undefined): Promise<FoundEffects | undefined> {
    try {
      return await work.judge(question, signal)
    } catch (error) {
      return unknown(question.changed, error instanceof Error ? error.message : String(error))
    }
  }
}

/** More than anybody writes by hand. */
const MOST_CHANGED = 1_000
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

type Changes = ReturnType<typeof editQuestion>

const swapped = ({ before, after, changed }: Changes): Changes => ({ before: after, after: before, changed })
