import { hash } from 'node:crypto'
import { extensionOf, languageOf } from '../../../languages/registry.ts'
import { ToolError } from '../../../kernel/error.ts'
import { once } from '../../../kernel/once.ts'
import { RecentMap } from '../../../kernel/recent-map.ts'
import type { Tree } from '../../tree/tree.ts'
import type { Root } from '../../../machine/workspace/root.ts'
import { createStaging } from '../../../machine/workspace/staging.ts'
import { createView } from '../../../machine/workspace/view.ts'
import { visibleText } from '../visible-text.ts'
import { deadlineIn, within } from '../servers/deadline.ts'
import { hiddenTest, maskedTree, type HiddenFiles } from '../servers/hidden-files.ts'
import { restartedServers } from '../servers/restarted-servers.ts'
import type { ServedLanguage, Servers } from '../servers/types.ts'
import { createFindings, type Findings } from './findings.ts'
import type { ImportGraph } from './import-graph.ts'
import type { EditQuestion, EffectsWork, DiagnosticMemory } from './types.ts'
import { configuredServer } from './disk-only-settings.ts'

interface EffectsParts {
  readonly root: Root
  readonly servers: Servers
  /** Servers from the user's configuration, for any files. */
  readonly configured: readonly { readonly extensions: readonly string[] }[]
  /** The files of the workspace, if they are listed already. */
  readonly tree?: Tree
}

/** A change that is being judged, or was. */
interface Judging {
  /** Equal for the same change and the same caller's view. */
  readonly key: string
  readonly findings: Findings
  readonly over: Promise<void>
  /** Reports whether a server judges a changed file, as far as known. */
  isServed(): boolean
  /** A newer change arrived: work continues only for callers that wait for this result. */
  overtake(): void
  isGivenUp(): boolean
  /** Registers a waiting caller until the returned function is called; without one the work ends soon. */
  wait(isLater: boolean): () => void
  cancel(): void
}

const COMES_BACK_MS = 1_000
/** The most remembered views: transactions, and the workspace itself. */
const MOST_VIEWS = 32
/** Caches are kept for this many different sets of hidden files. */
const MOST_SIGHTS = 3
const MOST_FAULTS = 50_000

/** The caches for one set of hidden files. */
interface Sight {
  readonly graphs: Map<string, ImportGraph>
  readonly memory: DiagnosticMemory
  readonly tree: Tree
  readonly servers: Servers
  readText(path: string): string | undefined
}

/** Loads, lists and starts nothing before the first question. */
export function openEffects({ root, servers, configured, tree: givenTree }: EffectsParts): EffectsWork {
  const views = new RecentMap<string, Judging>(MOST_VIEWS, oldest => oldest.overtake())
  const running = new Set<Judging>()
  const sights = new RecentMap<string, Sight>(MOST_SIGHTS)
  const askingServers = restartedServers(servers)
  const disk = createStaging()
  // Abandoned work may read once more when the root belongs to another workspace already.
  const readText = (path: string) => (isClosed ? undefined : visibleText(root, disk, path))
  const isCode = (path: string) =>
    languageOf(path) !== undefined || configured.some(({ extensions }) => extensions.includes(extensionOf(path)))
  const concerns = (path: string) => isCode(path) || configuredServer(path) !== undefined
  const isDirectory = (path: string) =>
    isClosed || createView(root, disk).look(path, {}, ({ type }) => type === 'directory')
  let languages: readonly ServedLanguage[] | undefined
  let ownTree: Tree | undefined
  let isClosed = false
  const loadTree = once(async () => {
    if (givenTree) return givenTree
    const { openTree } = await import('../../tree/open-tree.ts')
    ownTree = openTree(root)
    if (isClosed) ownTree.close()
    return ownTree
  })
  const loadJudge = once(async () => {
    const [{ judgeEdit }, { importGraph }] = await Promise.all([import('./judge-edit.ts'), import('./import-graph.ts')])
    return { judgeEdit, importGraph }
  })

  return {
    concerns,
    serves: async changed => (await serversOf(changed)).size > 0,
    async judge(question, signal) {
      if (!question.changed.some(concerns)) return undefined
      // The deadline includes loading.
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
      ownTree?.close()
    },
  }

  async function serversOf(changed: readonly string[]): Promise<Served> {
    const knownLanguages = (languages ??= await servers.known())
    const { served, isLacking } = servedBy(knownLanguages, changed)
    // It may be installed by the next time.
    if (isLacking) languages = undefined
    return served
  }

  function giveUp(): void {
    for (const judging of running) judging.cancel()
  }

  /** Replaces the last judging of the same view, which is out of date. */
  function take(view: string, judging: Judging): void {
    views.get(view)?.overtake()
    views.set(view, judging)
  }

  async function sightOf(hidden: HiddenFiles): Promise<Sight> {
    const files = await loadTree()
    const sight = sights.get(hidden.key) ?? newSight(files, hidden, { servers, asked: askingServers, readText })
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
      const { judgeEdit, importGraph } = await loadJudge()
      const { graphs, ...sight } = await sightOf(question.hidden)
      const graph = graphs.get(server.name) ?? importGraph({ server, ...sight })
      graphs.set(server.name, graph)
      const parts = { ...sight, root: root.path, server: server.name, graph, isDirectory }
      if (await judgeEdit(parts, question, findings, signal)) return
      findings.expect(server.name, [])
      for (const path of paths) findings.leaveOut(languageOf(path) ?? server.name)
    } catch (error) {
      if (signal.aborted) findings.stop()
      else findings.fail(messageOf(error))
    }
  }
}

type Served = Map<ServedLanguage, string[]>

/** The dependencies of judging one change. */
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
  /** Callers that wait for the result, and callers that were answered already. */
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
        // A caller that was answered may come back for the rest.
        else setTimeout(endWhereIdle, COMES_BACK_MS).unref()
      })
    },
    cancel: () => controller.abort(),
  }
  running.add(judging)
  return judging

  async function work(): Promise<void> {
    const servedFiles = await serversOf(question.changed)
    isServed = servedFiles.size > 0
    if (!isServed) return
    take(question.view, judging)
    const judgedPaths = [...servedFiles.values()].flat()
    // Until dependents are known, only callers that wait for the complete result count it as served.
    isServed = judgedPaths.length > 0 || question.complete
    findings.about(judgedPaths)
    for (const path of question.changed) {
      const language = languageOf(path)
      if (language !== undefined && !judgedPaths.includes(path)) findings.leaveOut(language)
    }
    await Promise.all([...servedFiles].map(pair => judge(pair, question, findings, controller.signal)))
    if (controller.signal.aborted) findings.stop()
    else findings.finish()
    if (judgedPaths.length === 0) isServed = findings.sofar().why !== undefined
  }
}

/** The changed files of each server; empty if only its settings changed. */
function servedBy(
  known: readonly ServedLanguage[],
  changed: readonly string[],
): { readonly served: Served; readonly isLacking: boolean } {
  const filesByServer: Served = new Map()
  let isLacking = false
  for (const path of changed) {
    const server = known.find(({ extensions }) => extensions.includes(extensionOf(path)))
    if (server?.installed) filesByServer.set(server, [...(filesByServer.get(server) ?? []), path])
    else if (server) isLacking = true
    const settingsServer = known.find(({ name }) => name === configuredServer(path))
    if (settingsServer?.installed && !filesByServer.has(settingsServer)) filesByServer.set(settingsServer, [])
  }
  return { served: filesByServer, isLacking }
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

/** Equal for the same change. */
const keyOf = ({ view, before, after, changed, hidden }: EditQuestion): string =>
  hash('sha256', JSON.stringify([view, hidden.key, changed, before, after]))

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
