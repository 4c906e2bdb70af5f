import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULTS } from '../src/config-defaults.ts'
import type { CodeGraph, GraphNode } from '../src/engines/code/graph/code-graph.ts'
import { linkGraph } from '../src/engines/code/graph/link-graph.ts'
import { projectOf } from '../src/engines/code/graph/resolve/project.ts'
import { deadlineIn } from '../src/engines/code/servers/deadline.ts'
import { openServers } from '../src/engines/code/servers/open-servers.ts'
import type { Position } from '../src/engines/code/servers/lsp-words.ts'
import type { AskedServer } from '../src/engines/code/servers/types.ts'
import { codeOf } from '../src/engines/code/symbols/code-of.ts'
import type { FileCode } from '../src/engines/code/symbols/file-code.ts'
import { openRoot } from '../src/engines/workspace/root.ts'

export interface ComparedCalls {
  readonly files: number
  /** Sampled functions that somebody calls, as one of the two says. */
  readonly functions: number
  /** Calls by file and line: those that the server knows, those of the graph, and those of both. */
  readonly expected: number
  /** Of those that the server counts, names behind a dot that are only mentioned: `list.map(module.f)`. */
  readonly mentioned: number
  readonly listed: number
  readonly common: number
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
  const graph = await graphOf(workspace, paths)
  const callsOf = Map.groupBy(
    graph.edges.filter(({ relation }) => relation === 'CALLS'),
    ({ to }) => to,
  )
  const functions = graph.nodes.filter(({ label }) => label === 'Function' || label === 'Method')
  const root = openRoot(workspace)
  const servers = openServers({ root, env: process.env, off: false, limits: DEFAULTS.commands, configured: [] })
  const missing: string[] = []
  const extra: string[] = []
  let [taken, expected, listed, common, mentioned] = [0, 0, 0, 0, 0]
  try {
    await servers.ask('x.ts', { key: '', texts: new Map() }, deadlineIn(600_000), async server => {
      for (const node of shuffled(functions)) {
        if (taken >= sample) break
        const known = await incoming(server, workspace, node)
        const ours = new Set((callsOf.get(node) ?? []).map(({ from, line }) => `${from.path}:${line}`))
        if (!known || (known.size === 0 && ours.size === 0)) continue
        taken++
        expected += known.size
        listed += ours.size
        for (const [place, isCall] of known)
          if (ours.has(place)) common++
          else {
            if (!isCall) mentioned++
            missing.push(`${node.id} < ${place}${isCall ? '' : ' (mentioned)'}`)
          }
        for (const place of ours) if (!known.has(place)) extra.push(`${node.id} < ${place}`)
      }
    })
  } finally {
    await servers.close()
    root.close()
  }
  return { files: paths.length, functions: taken, expected, mentioned, listed, common, missing, extra }
}

async function graphOf(workspace: string, paths: readonly string[]): Promise<CodeGraph> {
  const codes: [string, FileCode][] = []
  for (const path of paths) {
    const code = await codeOf(path, readFileSync(join(workspace, path)))
    if (code) codes.push([path, code])
  }
  return linkGraph(projectOf(codes), [])
}

/** Where the server says that it is called; undefined where it sees no function there. */
async function incoming(
  server: AskedServer,
  workspace: string,
  node: GraphNode,
): Promise<ReadonlyMap<string, boolean> | undefined> {
  const lines = linesOf(workspace, node.path)
  const [from, to] = node.lines
  const name = new RegExp(String.raw`(?<![\w$.])${node.name.replaceAll('$', String.raw`\$`)}(?![\w$])`)
  for (let line = from - 1; line < to; line++) {
    const character = (lines[line] ?? '').search(name)
    if (character < 0) continue
    const items = await server.callItems(node.path, { line, character })
    const own = items.filter(({ uri, name: called }) => server.pathOf(uri) === node.path && called === node.name)
    if (own.length === 0) return undefined
    const calls = (await Promise.all(own.map(item => server.incoming(item)))).flat()
    const found = new Map<string, boolean>()
    for (const {
      from: { uri },
      fromRanges,
    } of calls)
      for (const { start, end } of fromRanges) {
        const path = server.pathOf(uri) ?? ''
        const place = `${path}:${start.line + 1}`
        found.set(place, found.get(place) === true || isCalled(linesOf(workspace, path), start, end))
      }
    return found
  }
  return undefined
}

const linesOf = (workspace: string, path: string): readonly string[] =>
  readFileSync(join(workspace, path), 'utf8').split('\n')

/** Whether arguments follow, perhaps behind type arguments, or it is made, tagged, a decorator or an element. */
function isCalled(lines: readonly string[], start: Position, end: Position): boolean {
  const before = (lines[start.line] ?? '').slice(0, start.character)
  if (/(\bnew\s+[\w$.]*|@[\w$.]*|<[\w$.]*)$/.test(before)) return true
  const after = [(lines[end.line] ?? '').slice(end.character), ...lines.slice(end.line + 1, end.line + 12)].join('\n')
  return /^\s*(\?\.|!)?\s*(<[^;]*?>)?\s*[(`]/.test(after)
}

/** The same order in every run. */
function shuffled<T>(all: readonly T[]): readonly T[] {
  let seed = 20_261
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  return all
    .map(each => ({ each, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ each }) => each)
}
