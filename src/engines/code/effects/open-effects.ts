import { once } from '../../../kernel/once.ts'
import { languageOf } from '../../index/facts/languages.ts'
import type { Tree } from '../../index/tree/tree.ts'
import type { Root } from '../../workspace/root.ts'
import { createStaging } from '../../workspace/staging.ts'
import { seenText } from '../seen-text.ts'
import { deadlineIn, within } from '../servers/deadline.ts'
import { extensionOf } from '../servers/documents.ts'
import { serverLate } from '../servers/server-error.ts'
import type { ServedLanguage, Servers } from '../servers/types.ts'
import { createFindings, type Findings } from './findings.ts'
import type { ImportGraph } from './import-graph.ts'
import type { EditQuestion, EffectsWork, FoundEffects } from './types.ts'

export interface EffectsParts {
  readonly root: Root
  readonly servers: Servers
  /** The files of the workspace, where somebody lists them already. */
  readonly tree?: Tree
}

/** One change that is being judged, or was. */
interface Judging {
  readonly question: EditQuestion
  readonly findings: Findings
  readonly over: Promise<void>
  cancel(): void
}

/** Views that are remembered: transactions, and the workspace itself. */
const MOST_VIEWS = 32

/** Nothing is loaded, listed or started before the first question. */
export function openEffects({ root, servers, tree: given }: EffectsParts): EffectsWork {
  const views = new Map<string, Judging>()
  const graphs = new Map<string, ImportGraph>()
  const disk = createStaging()
  const readText = (path: string) => seenText(root, disk, path)
  let own: Tree | undefined
  let isClosed = false
  const listed = once(async () => {
    if (given) return given
    const { openTree } = await import('../../index/tree/open-tree.ts')
    own = openTree(root)
    if (isClosed) own.close()
    return own
  })
  const loaded = once(async () => {
    const [{ judgeEdit }, { importGraph }, { faultMemory }] = await Promise.all([
      import('./judge-edit.ts'),
      import('./import-graph.ts'),
      import('./fault-memory.ts'),
    ])
    return { judgeEdit, importGraph, memory: faultMemory() }
  })

  return {
    async judge(question, signal) {
      const served = await serversOf(question.changed)
      if (served.size === 0) return undefined
      views.get(question.view)?.cancel()
      const judging = begin(question, served)
      views.delete(question.view)
      views.set(question.view, judging)
      const [oldest] = views.keys()
      if (views.size > MOST_VIEWS && oldest !== undefined) {
        views.get(oldest)?.cancel()
        views.delete(oldest)
      }
      return waited(judging, question.deadlineMs, signal)
    },
    async last(view, deadlineMs, signal) {
      const known = views.get(view)
      if (!known) return undefined
      await waited(known, deadlineMs, signal)
      const isOver = await Promise.race([known.over.then(() => true), false])
      // A server that went away may be there again.
      if (!isOver || known.findings.sofar().complete || views.get(view) !== known) return known.findings.sofar()
      const again = begin(known.question, await serversOf(known.question.changed))
      views.set(view, again)
      return waited(again, deadlineMs, signal)
    },
    close() {
      isClosed = true
      for (const judging of views.values()) judging.cancel()
      own?.close()
    },
  }

  /** The changed files of each server. */
  async function serversOf(changed: readonly string[]): Promise<Map<ServedLanguage, string[]>> {
    const known = await servers.known()
    const served = new Map<ServedLanguage, string[]>()
    for (const path of changed) {
      const server = known.find(({ extensions }) => extensions.includes(extensionOf(path)))
      if (server?.installed) served.set(server, [...(served.get(server) ?? []), path])
    }
    return served
  }

  function begin(question: EditQuestion, served: ReadonlyMap<ServedLanguage, readonly string[]>): Judging {
    const controller = new AbortController()
    const mine = [...served.values()].flat()
    const findings = createFindings(mine)
    for (const path of question.changed) {
      const language = languageOf(path)
      if (language !== undefined && !mine.includes(path)) findings.leaveOut(language)
    }
    const work = Promise.all([...served].map(([server]) => judge(server, question, findings, controller.signal)))
    const over = work.then(() => (controller.signal.aborted ? undefined : findings.finish()))
    return { question, findings, over, cancel: () => controller.abort() }
  }

  async function judge(
    server: ServedLanguage,
    question: EditQuestion,
    findings: Findings,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const { judgeEdit, importGraph, memory } = await loaded()
      const tree = await listed()
      const graph = graphs.get(server.name) ?? importGraph({ server, tree, readText })
      graphs.set(server.name, graph)
      const parts = { root: root.path, server: server.name, servers, graph, memory, readText }
      if (await judgeEdit(parts, question, findings, signal)) return
      findings.expect(server.name, [])
      findings.leaveOut(server.name)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      findings.fail(signal.aborted ? 'The next change came before this one was judged' : why)
    }
  }

  async function waited(
    { question, findings, over }: Judging,
    deadlineMs: number,
    signal?: AbortSignal,
  ): Promise<FoundEffects> {
    const late = () => serverLate('of a change', `was still judging ${question.changed.join(', ')}`)
    await within(deadlineIn(deadlineMs, signal), over, late).catch(() => {})
    return findings.sofar()
  }
}
