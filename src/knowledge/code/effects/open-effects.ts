import { hash } from 'node:crypto'
import { ToolError } from '../../../kernel/error.ts'
import { once } from '../../../kernel/once.ts'
import { RecentMap } from '../../../kernel/recent-map.ts'
import { languageOf } from '../../model/languages.ts'
import type { Tree } from '../../tree/tree.ts'
import type { Root } from '../../../machine/workspace/root.ts'
import { createStaging } from '../../../machine/workspace/staging.ts'
import { createView } from '../../../machine/workspace/view.ts'
import { visibleText } from '../visible-text.ts'
import { deadlineIn, within } from '../servers/deadline.ts'
import { extensionOf } from '../servers/documents.ts'
import { hiddenTest, maskedTree, type HiddenFiles } from '../servers/hidden-files.ts'
import { restartedServers } from '../servers/restarted-servers.ts'
import type { ServedLanguage, Servers } from '../servers/types.ts'
import { createFindings, type Findings } from './findings.ts'
import type { ImportGraph } from './import-graph.ts'
import type { EditQuestion, EffectsWork, DiagnosticMemory } from './types.ts'
import { settledServer } from './unseen-settings.ts'

interface EffectsParts {
  readonly root: Root
  readonly servers: Servers
  /** Servers that the user named, for whatever files. */
  readonly configured: readonly { readonly extensions: readonly string[] }[]
  /** The files of the workspace, where somebody lists them already. */
  readonly tree?: Tree
}

/** One change that is being judged, or was. */
interface Judging {
  /** The same for the same change, seen by the same caller. */
  readonly key: string
  readonly findings: Findings
  readonly over: Promise<void>
  /** Some changed file has a language that somebody judges, as far as is known. */
  isServed(): boolean
  /** Another one has come: it goes on only for whoever waits for its answer. */
  overtake(): void
  isGivenUp(): boolean
  /** Somebody waits for it until the returned function is called; with nobody it ends soon. */
  wait(isLater: boolean): () => void
  cancel(): void
}

const COMES_BACK_MS = 1_000
/** Views that are remembered: transactions, and the workspace itself. */
const MOST_VIEWS = 32
/** What is known for those from whom the same is hidden is kept for so many of them. */
const MOST_SIGHTS = 3
const MOST_FAULTS = 50_000

const GIVEN_UP = 'it was given up: the next change came, or nobody waited for it any more'

/** What is known of the files that are not hidden from somebody. */
interface Sight {
  readonly graphs: Map<string, ImportGraph>
  readonly memory: DiagnosticMemory
  readonly tree: Tree
  readonly servers: Servers
  readText(path: string): string | undefined
}

/** Nothing is loaded, listed or started before the first question. */
export function openEffects({ root, servers, configured, tree: given }: EffectsParts): EffectsWork {
  const views = new RecentMap<string, Judging>(MOST_VIEWS, oldest => oldest.overtake())
  const running = new Set<Judging>()
  const sights = new RecentMap<string, Sight>(MOST_SIGHTS)
  const asked = restartedServers(servers)
  const disk = createStaging()
  // Work that is given up may look once more, when the root is somebody else's already.
  const readText = (path: string) => (isClosed ? undefined : visibleText(root, disk, path))
  const isCode = (path: string) =>
    languageOf(path) !== undefined || configured.some(({ extensions }) => extensions.includes(extensionOf(path)))
  const concerns = (path: string) => isCode(path) || settledServer(path) !== undefined
  const isDirectory = (path: string) =>
    isClosed || createView(root, disk).look(path, {}, ({ type }) => type === 'directory')
  let languages: readonly ServedLanguage[] | undefined
  let own: Tree | undefined
  let isClosed = false
  const listed = once(async () => {
    if (given) return given
    const { openTree } = await import('../../tree/open-tree.ts')
    own = openTree(root)
    if (isClosed) own.close()
    return own
  })
  const loaded = once(async () => {
    const [{ judgeEdit }, { importGraph }] = await Promise.all([import('./judge-edit.ts'), import('./import-graph.ts')])
    return { judgeEdit, importGraph }
  })

  return {
    concerns,
    serves: async changed => (await serversOf(changed)).size > 0,
    async judge(question, signal) {
      if (!question.changed.some(concerns)) return undefined
      // The time runs from the question on, whatever has to be loaded for it.
      const deadline = deadlineIn(question.deadlineMs, signal)
      const key = keyOf(question)
      const judging =
        [...running].find(one => one.key === key && !one.isGivenUp()) ??
        begin({ running, serversOf, take, judge }, question, key)
      const leave = judging.wait(question.isLater ?? false)
      const late = () => new ToolError('timeout', 'Not everything was judged in time')
      await within(deadline, judging.over, late).catch(() => {})
      leave()
      return judging.isServed() ? judging.findings.sofar() : undefined
    },
    giveUp,
    close() {
      isClosed = true
      giveUp()
      own?.close()
    },
  }

  async function serversOf(changed: readonly string[]): Promise<Served> {
    const known = (languages ??= await servers.known())
    const { served, isLacking } = servedBy(known, changed)
    // It may be installed by the next time.
    if (isLacking) languages = undefined
    return served
  }

  function giveUp(): void {
    for (const judging of running) judging.cancel()
  }

  /** What was judged before for the same view is out of date. */
  function take(view: string, judging: Judging): void {
    views.get(view)?.overtake()
    views.set(view, judging)
  }

  async function sightOf(hidden: HiddenFiles): Promise<Sight> {
    const files = await listed()
    const sight = sights.get(hidden.key) ?? newSight(files, hidden, { servers, asked, readText })
    sights.set(hidden.key, sight)
    return sight
  }

  async function judge(
    [server, paths]: readonly [ServedLanguage, readonly string[]],
    question: EditQuestion,
    findings: Findings,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const { judgeEdit, importGraph } = await loaded()
      const { graphs, ...sight } = await sightOf(question.hidden)
      const graph = graphs.get(server.name) ?? importGraph({ server, ...sight })
      graphs.set(server.name, graph)
      const parts = { ...sight, root: root.path, server: server.name, graph, isDirectory }
      if (await judgeEdit(parts, question, findings, signal)) return
      findings.expect(server.name, [])
      for (const path of paths) findings.leaveOut(languageOf(path) ?? server.name)
    } catch (error) {
      findings.fail(signal.aborted ? GIVEN_UP : messageOf(error))
    }
  }
}

type Served = Map<ServedLanguage, string[]>

/** What judging one change needs of the rest. */
interface Work {
  readonly running: Set<Judging>
  serversOf(changed: readonly string[]): Promise<Served>
  take(view: string, judging: Judging): void
  judge(
    served: readonly [ServedLanguage, readonly string[]],
    question: EditQuestion,
    findings: Findings,
    signal: AbortSignal,
  ): Promise<void>
}

function begin({ running, serversOf, take, judge }: Work, question: EditQuestion, key: string): Judging {
  const controller = new AbortController()
  const findings = createFindings(question.changed)
  let isServed = true
  /** Of those who wait for its answer, and of those who were answered already. */
  const waiting = { answer: 0, later: 0 }
  let isOvertaken = false
  const endWhereIdle = () => {
    if (waiting.answer === 0 && (isOvertaken || waiting.later === 0)) controller.abort()
  }
  const over = work()
    .catch((error: unknown) => findings.fail(messageOf(error)))
    .finally(() => running.delete(judging))
  const judging: Judging = {
    key,
    findings,
    over,
    isServed: () => isServed,
    overtake() {
      isOvertaken = true
      endWhereIdle()
    },
    isGivenUp: () => controller.signal.aborted,
    wait(isLater) {
      const kind = isLater ? 'later' : 'answer'
      waiting[kind]++
      return once(() => {
        waiting[kind]--
        if (isOvertaken) endWhereIdle()
        // Whoever was answered may come back for the rest.
        else setTimeout(endWhereIdle, COMES_BACK_MS).unref()
      })
    },
    cancel: () => controller.abort(),
  }
  running.add(judging)
  return judging

  async function work(): Promise<void> {
    const served = await serversOf(question.changed)
    isServed = served.size > 0
    if (!isServed) return
    take(question.view, judging)
    const mine = [...served.values()].flat()
    // Until it is known whether anything depends on what was changed, only who waits for that hears of it.
    isServed = mine.length > 0 || question.complete
    findings.about(mine)
    for (const path of question.changed) {
      const language = languageOf(path)
      if (language !== undefined && !mine.includes(path)) findings.leaveOut(language)
    }
    await Promise.all([...served].map(pair => judge(pair, question, findings, controller.signal)))
    if (!controller.signal.aborted) findings.finish()
    if (mine.length === 0) isServed = findings.sofar().why !== undefined
  }
}

/** The changed files of each server, none where only its settings were changed. */
function servedBy(
  known: readonly ServedLanguage[],
  changed: readonly string[],
): { readonly served: Served; readonly isLacking: boolean } {
  const served: Served = new Map()
  let isLacking = false
  for (const path of changed) {
    const server = known.find(({ extensions }) => extensions.includes(extensionOf(path)))
    if (server?.installed) served.set(server, [...(served.get(server) ?? []), path])
    else if (server) isLacking = true
    const settled = known.find(({ name }) => name === settledServer(path))
    if (settled?.installed && !served.has(settled)) served.set(settled, [])
  }
  return { served, isLacking }
}

function newSight(
  files: Tree,
  hidden: HiddenFiles,
  {
    servers,
    asked,
    readText,
  }: { readonly servers: Servers; readonly asked: Pick<Servers, 'ask'> } & Pick<Sight, 'readText'>,
): Sight {
  const isHidden = hiddenTest(hidden)
  return {
    graphs: new Map(),
    memory: new RecentMap(MOST_FAULTS),
    tree: maskedTree(files, hidden),
    servers: {
      ...servers,
      ask: (path, staged, deadline, work) => asked.ask(path, { ...staged, hidden }, deadline, work),
    },
    readText: path => (isHidden(path) ? undefined : readText(path)),
  }
}

/** The same for the same change. */
const keyOf = ({ view, before, after, changed, hidden }: EditQuestion): string =>
  hash('sha256', JSON.stringify([view, hidden.key, changed, before, after]))

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
