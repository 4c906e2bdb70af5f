import type { CodeFault } from '../../../kernel/edit-effects.ts'
import { once } from '../../../kernel/once.ts'
import { deadlineIn } from '../servers/deadline.ts'
import type { Servers } from '../servers/types.ts'
import { affectedFiles, type Affected } from './affected-files.ts'
import { changedSymbols, namesFor } from './changed-symbols.ts'
import { compareDiagnostics } from './compare-diagnostics.ts'
import type { Findings } from './findings.ts'
import { losesImport, lostImports } from './lost-imports.ts'
import type { ImportGraph } from './import-graph.ts'
import { pullDiagnostics } from './pull-diagnostics.ts'
import type { EditQuestion, DiagnosticMemory, Overlay } from './types.ts'
import { stagedDeletions, unbuiltImport, unjudgeableFiles, type UnjudgeableFiles } from './unjudgeable-files.ts'
import { diskOnlySettings } from './disk-only-settings.ts'
import { mismatchedCalls } from './mismatched-calls.ts'
import type { ProjectSnapshot } from './project-snapshot.ts'
import { isTestPath, isTestNamed, hasTests } from '../../../languages/file-model/test-path.ts'

interface JudgeParts {
  readonly root: string
  readonly server: string
  readonly servers: Servers
  readonly graph: ImportGraph
  readonly memory: DiagnosticMemory
  readText(path: string): string | undefined
  /** Reports whether a directory is on disk. */
  isDirectory(path: string): boolean
}

/** After this many files other questions get their turn at the server. */
const SLICE = 12
/** Remaining files are judged on both sides in chunks of this size. */
const CHUNK = 128
const CATCH_UP_MS = 120_000
const MOST_RESTARTS = 20

const SIDES = ['before', 'after'] as const

type Side = (typeof SIDES)[number]
type Snapshots = Readonly<Record<Side, ProjectSnapshot>>

/**
 * Judges a change as far as one server can, the nearest files first, and reports findings as they arrive. Returns false
 * if the server judges nothing.
 */
export async function judgeEdit(
  parts: JudgeParts,
  question: EditQuestion,
  findings: Findings,
  signal: AbortSignal,
): Promise<boolean> {
  const { graph, memory, servers } = parts
  let isJudging = true
  /** Names of the changed symbols in other files. */
  let others: () => ReadonlyMap<string, string> = () => new Map()
  const follow = () => graph.follow(deadlineIn(CATCH_UP_MS, signal))
  const symbols = await symbolsOf(question)
  for (let tries = 0; tries <= MOST_RESTARTS; tries++) {
    await follow()
    if (await judgeOnce()) return isJudging
  }
  findings.fail('Files kept changing while they were judged')
  return true

  /** Returns false if the workspace has changed meanwhile. */
  async function judgeOnce(): Promise<boolean> {
    const version = graph.version()
    const settings = diskOnlySettings(question, parts.server, graph)
    if (settings.length > 0) findings.fail(`No language server sees ${settings.join(', ')} as staged`)
    const snapshots = { before: graph.snapshot(question.before), after: graph.snapshot(question.after) }
    const affectedPaths = affectedFiles(snapshots.before, snapshots.after, question.changed)
    findings.expect(
      parts.server,
      affectedPaths.map(({ path }) => path),
    )
    findings.addTests(coveringTests(affectedPaths, symbols.touched, path => textOf(parts, question.after, path)))
    const reasonAt = unjudgeableAt(parts, question, snapshots)
    const reasons = new Map<string, string>()
    for (const { path } of affectedPaths) {
      const why = reasonAt('before', path) ?? reasonAt('after', path)
      if (why !== undefined) reasons.set(path, why)
    }
    others = once(() =>
      namesFor(
        symbols.reshaped,
        affectedPaths.flatMap(({ path }) => snapshots.after.files.get(path)?.facts.others ?? []),
      ),
    )
    let side: Side = 'before'
    for (const chunk of chunksOf(affectedPaths.filter(({ path }) => !reasons.has(path)))) {
      // Each switch of the texts costs the server a full check, so a chunk begins with the side of the last one.
      const other: Side = side === 'before' ? 'after' : 'before'
      for (const at of [side, other]) if (!(await pullMissing(chunk, at, snapshots, version))) return !isJudging
      side = other
      for (const path of chunk) await compare(path, snapshots)
    }
    const pathsLosingImports = [...reasons.keys()].filter(
      path => !reasonAt('after', path) && losesImport(path, snapshots),
    )
    if (!(await pullMissing(pathsLosingImports, 'after', snapshots, version))) return !isJudging
    for (const path of pathsLosingImports) {
      const introducedErrors = lostImports(rememberedFaults(memory, snapshots.after, path), path, snapshots)
      if (introducedErrors.length > 0) findings.put(path, { introduced: introducedErrors, cured: [], callers: [] })
    }
    for (const why of reasons.values()) findings.fail(why)
    const unbuilt = unbuiltImport([snapshots.before, snapshots.after], affectedPaths)
    if (unbuilt !== undefined) findings.fail(unbuilt)
    return true
  }

  async function pullMissing(
    paths: readonly string[],
    side: Side,
    snapshots: Snapshots,
    version: number,
  ): Promise<boolean> {
    const snapshot = snapshots[side]
    const isOpen = (path: string) => isUnknown(memory, snapshots[side === 'before' ? 'after' : 'before'], path)
    let unknown = paths.filter(path => isUnknown(memory, snapshot, path))
    while (unknown.length > 0) {
      const slice = unknown.slice(0, SLICE)
      const overlay = question[side]
      const textAt = (path: string) => textOf(parts, overlay, path)
      const faultsByPath = await pullDiagnostics({
        servers,
        root: parts.root,
        paths: slice,
        overlay,
        signal,
        textOf: textAt,
      })
      if (!faultsByPath) return (isJudging = false)
      await follow()
      if (graph.version() !== version) return keep(parts, question, faultsByPath, side, snapshot)
      for (const [path, faults] of faultsByPath) memory.set(`${snapshot.proofOf(path) ?? ''} ${path}`, faults)
      // Report findings at once: the caller may not wait for the rest.
      for (const path of faultsByPath.keys()) if (!isOpen(path)) await compare(path, snapshots)
      unknown = unknown.filter(path => !faultsByPath.has(path))
    }
    return true
  }

  async function compare(path: string, snapshots: Snapshots): Promise<void> {
    const from = snapshots.before.files.has(path) ? path : movedFrom(path, question)
    const [before, after] = [
      rememberedFaults(memory, snapshots.before, from),
      rememberedFaults(memory, snapshots.after, path),
    ]
    const texts = question.changed.includes(path)
      ? { before: textOf(parts, question.before, from) ?? '', after: textOf(parts, question.after, path) ?? '' }
      : undefined
    const isMovedAway =
      !snapshots.after.files.has(path) && question.changed.some(to => to !== path && movedFrom(to, question) === path)
    const { introduced, cured } = isMovedAway ? NOTHING : compareDiagnostics({ before, after, texts })
    const text = introduced.length > 0 ? textOf(parts, question.after, path) : undefined
    const callers = text === undefined ? [] : await mismatchedCalls(path, text, introduced, symbols.reshaped, others())
    findings.put(path, { introduced, cured, callers })
  }
}

/**
 * Returns why a file cannot be judged on one side of a change, or undefined. What was judged while it could be, such as
 * before a file went, counts further on.
 */
function unjudgeableAt(
  parts: JudgeParts,
  question: EditQuestion,
  snapshots: Snapshots,
): (side: Side, path: string) => string | undefined {
  // Asked alike for both sides.
  const disk = {
    isDirectory: memoize(parts.isDirectory),
    hasFile: memoize(path => parts.readText(path) !== undefined),
  }
  const unjudgeable = (side: Side): UnjudgeableFiles =>
    new Map([...lostFrom(parts, question, side, snapshots), ...unjudgeableFiles(snapshots[side], question[side], disk)])
  const sides = { before: unjudgeable('before'), after: unjudgeable('after') }
  return (side, path) => (isUnknown(parts.memory, snapshots[side], path) ? sides[side].get(path) : undefined)
}

function memoize(look: (path: string) => boolean): (path: string) => boolean {
  const answers = new Map<string, boolean>()
  return path => {
    const answer = answers.get(path) ?? look(path)
    answers.set(path, answer)
    return answer
  }
}

function isUnknown(memory: DiagnosticMemory, snapshot: ProjectSnapshot, path: string): boolean {
  const proof = snapshot.proofOf(path)
  return proof !== undefined && !memory.has(`${proof} ${path}`)
}

function lostFrom(parts: JudgeParts, question: EditQuestion, side: Side, snapshots: Snapshots): UnjudgeableFiles {
  const whole = snapshots[side === 'before' ? 'after' : 'before']
  if (!Object.values(question[side]).includes(null)) return new Map()
  const stagedOnly = [...whole.files.keys()].filter(
    path => !snapshots[side].files.has(path) && parts.readText(path) !== undefined,
  )
  return stagedDeletions({ whole, without: snapshots[side], gone: stagedOnly })
}

/** Lays the texts of a change over the disk, so that its landing makes no difference. */
function keep(
  { graph, memory }: JudgeParts,
  question: EditQuestion,
  found: ReadonlyMap<string, readonly CodeFault[]>,
  side: Side,
  snapshot: ProjectSnapshot,
): boolean {
  const now = graph.snapshot(question[side])
  for (const [path, faults] of found) {
    const proof = snapshot.proofOf(path)
    if (proof !== undefined && now.proofOf(path) === proof) memory.set(`${proof} ${path}`, faults)
  }
  return false
}

function rememberedFaults(memory: DiagnosticMemory, snapshot: ProjectSnapshot, path: string): readonly CodeFault[] {
  return memory.get(`${snapshot.proofOf(path) ?? ''} ${path}`) ?? []
}

function textOf(parts: JudgeParts, overlay: Overlay, path: string): string | undefined {
  return Object.hasOwn(overlay, path) ? (overlay[path] ?? undefined) : parts.readText(path)
}

const NOTHING = { introduced: [], cured: [] }

/** The former path of a new file, found by its text. */
function movedFrom(path: string, { before, after, changed }: EditQuestion): string {
  const text = after[path]
  if (typeof before[path] === 'string' || typeof text !== 'string') return path
  return changed.find(from => from !== path && (after[from] ?? null) === null && before[from] === text) ?? path
}

async function symbolsOf({ before, after, changed }: EditQuestion) {
  const all = await Promise.all(changed.map(path => changedSymbols(path, before[path] ?? '', after[path] ?? '')))
  return {
    touched: new Set(all.flatMap(({ touched }) => [...touched])),
    reshaped: new Set(all.flatMap(({ reshaped }) => [...reshaped])),
  }
}

/** The changed files, their direct importers, and then the rest in chunks. */
function chunksOf(affected: readonly Affected[]): readonly (readonly string[])[] {
  const at = (test: (distance: number) => boolean) =>
    affected.filter(({ distance }) => test(distance)).map(({ path }) => path)
  const rest = at(distance => distance > 1)
  const chunks = [at(distance => distance === 0), at(distance => distance === 1)]
  for (let from = 0; from < rest.length; from += CHUNK) chunks.push(rest.slice(from, from + CHUNK))
  return chunks.filter(chunk => chunk.length > 0)
}

/** The test files among these: those that mention a changed name first, then by distance. */
export function coveringTests(
  affectedPaths: readonly Affected[],
  touchedNames: ReadonlySet<string>,
  read: (path: string) => string | undefined,
): readonly string[] {
  const words = [...touchedNames].filter(name => /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name))
  const mention =
    words.length === 0 ? undefined : new RegExp(`(?<![\\w$])(?:${words.map(escapeDollar).join('|')})(?![\\w$])`)
  const tests = affectedPaths.flatMap(({ path, distance }) => {
    if (!Number.isFinite(distance) || !(isTestNamed(path) || isTestPath(path))) return []
    const text = read(path) ?? ''
    if (!isTestNamed(path) && !hasTests(text)) return []
    return [{ path, distance, rank: mention?.test(text) ? 0 : 1 }]
  })
  return tests.toSorted((one, other) => one.rank - other.rank || one.distance - other.distance).map(({ path }) => path)
}

const escapeDollar = (name: string): string => name.replaceAll('$', '\\$')
