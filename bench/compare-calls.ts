import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CodeGraph, GraphNode } from '../src/knowledge/code/graph/code-graph.ts'
import { linkGraph } from '../src/knowledge/code/graph/link-graph.ts'
import { projectOf, type Project } from '../src/knowledge/code/resolve/project.ts'
import { callersIn } from '../src/knowledge/code/syntactic/syntactic-callers.ts'
import { ToolError } from '../src/kernel/error.ts'
import type { Position } from '../src/knowledge/code/servers/lsp-schemas.ts'
import { modelOf } from '../src/knowledge/model/model-of.ts'
import type { FileModel } from '../src/languages/file-model/file-model.ts'
import { rawServer, type RawServer } from './raw-server.ts'

export interface ComparedCalls {
  readonly files: number
  /** Sampled functions with a caller, according to one of the two. */
  readonly functions: number
  /** Calls by file and line: those that the server knows, those of the graph, and those of both. */
  readonly expected: number
  readonly listed: number
  readonly common: number
  /** Call sites that the resolver lists as possible, and those of them that the server knows. */
  readonly possible: number
  readonly confirmed: number
  /** `function < path:line` of what only one of them has. */
  readonly missing: readonly string[]
  readonly extra: readonly string[]
}

const CONFIGURATION = {
  compilerOptions: {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'esnext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  },
}

/** Compares who calls sampled functions of a package's TypeScript sources: the code graph beside the language server's call hierarchy. */
export async function compareCalls(directory: string, sources: string, sample: number): Promise<ComparedCalls> {
  const workspace = mkdtempSync(join(tmpdir(), 'toolwright-calls-'))
  try {
    const paths = globSync(sources, { cwd: directory, exclude: ['**/node_modules/**'] })
      .filter(path => /(?<!\.d)\.[cm]?tsx?$/.test(path))
      .toSorted()
    for (const path of paths) cpSync(join(directory, path), join(workspace, path), { recursive: true })
    writeFileSync(join(workspace, 'tsconfig.json'), JSON.stringify({ ...CONFIGURATION, include: ['**/*'] }))
    return await compared(workspace, paths, sample)
  } finally {
    rmSync(workspace, { recursive: true, force: true })
  }
}

async function compared(workspace: string, paths: readonly string[], sample: number): Promise<ComparedCalls> {
  const { graph, project } = await graphOf(workspace, paths)
  const callsOf = Map.groupBy(
    graph.edges.filter(({ relation }) => relation === 'CALLS'),
    ({ to }) => to,
  )
  const functions = graph.nodes.filter(({ label }) => label === 'Function' || label === 'Method')
  const missing: string[] = []
  const extra: string[] = []
  let [taken, expected, listed, common, possible, confirmed] = [0, 0, 0, 0, 0, 0]
  await using server = await rawServer(workspace)
  for (const node of shuffled(functions)) {
    if (taken >= sample) break
    const known = await incoming(server, workspace, node)
    if (!known) continue
    // A place where a name is only mentioned is left out on both sides.
    const calls = new Set([...known].flatMap(([place, isCall]) => (isCall ? [place] : [])))
    const places = (callsOf.get(node) ?? []).map(({ from, line }) => `${from.path}:${line}`)
    const ours = new Set(places.filter(place => known.get(place) !== false))
    if (calls.size === 0 && ours.size === 0) continue
    taken++
    expected += calls.size
    listed += ours.size
    for (const place of calls)
      if (ours.has(place)) common++
      else missing.push(`${node.id} < ${place}`)
    for (const place of ours) if (!calls.has(place)) extra.push(`${node.id} < ${place}`)
    const maybe = possibleFor(project, node).filter(place => !ours.has(place) && known.get(place) !== false)
    possible += maybe.length
    confirmed += maybe.filter(place => calls.has(place)).length
  }
  return { files: paths.length, functions: taken, expected, listed, common, possible, confirmed, missing, extra }
}

/** Where it may be called, as callers without a server say. */
function possibleFor(project: Project, { id, path }: GraphNode): readonly string[] {
  try {
    const { possible } = callersIn(project, path, id.slice(path.length + 1), 1)
    return possible.map(each => `${each.path}:${each.line}`)
  } catch (error) {
    // Several of one name are not told apart by it.
    if (error instanceof ToolError) return []
    throw error
  }
}

async function graphOf(
  workspace: string,
  paths: readonly string[],
): Promise<{ readonly graph: CodeGraph; readonly project: Project }> {
  const codes: [string, FileModel][] = []
  for (const path of paths) {
    const code = await modelOf(path, readFileSync(join(workspace, path)))
    if (code) codes.push([path, code])
  }
  const project = projectOf(codes)
  return { project, graph: linkGraph(project, []) }
}

/** Where the server says that it is called; undefined if it sees no function there. */
async function incoming(
  server: RawServer,
  workspace: string,
  node: GraphNode,
): Promise<ReadonlyMap<string, boolean> | undefined> {
  const lines = linesOf(workspace, node.path)
  const [from, to] = node.lines
  const name = new RegExp(String.raw`(?<![\w$.])${node.name.replaceAll('$', String.raw`\$`)}(?![\w$])`)
  for (let line = from - 1; line < to; line++) {
    const character = (lines[line] ?? '').search(name)
    if (character < 0) continue
    const calls = await server.incoming({ name: node.name, path: node.path, line, character })
    if (!calls) return undefined
    const found = new Map<string, boolean>()
    for (const { path, range } of calls) {
      const place = `${path}:${range.start.line + 1}`
      const isWithin = path === node.path && range.start.line + 1 >= from && range.start.line + 1 <= to
      const text = linesOf(workspace, path)
      const isCall = isCalled(text, range.start, range.end) && !(isWithin && isOfBase(text, range.start))
      found.set(place, found.get(place) === true || isCall)
    }
    return found
  }
  return undefined
}

const linesOf = (workspace: string, path: string): readonly string[] =>
  readFileSync(join(workspace, path), 'utf8').split('\n')

/** Reports whether arguments follow, perhaps behind type arguments, or it is made, tagged, a decorator or an element. */
function isCalled(lines: readonly string[], start: Position, end: Position): boolean {
  const before = (lines[start.line] ?? '').slice(0, start.character)
  if (/(\bnew\s+[\w$.]*|@[\w$.]*|<[\w$.]*)$/.test(before)) return true
  const after = [(lines[end.line] ?? '').slice(end.character), ...lines.slice(end.line + 1, end.line + 12)].join('\n')
  return /^\s*(\?\.|!)?\s*(<[^;]*?>)?\s*[(`]/.test(after)
}

/** The server counts `super.m()` in an override of `m` as a call of the override itself; it calls the base's. */
const isOfBase = (lines: readonly string[], { line, character }: Position): boolean =>
  /\bsuper\s*\.\s*$/.test((lines[line] ?? '').slice(0, character))

/** The same order in every run. */
function shuffled<T>(all: readonly T[]): readonly T[] {
  let seed = 20_261
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  return all
    .map(each => ({ each, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ each }) => each)
}
