import { familyOf, isScript } from '../../../languages/registry.ts'
import type { Declaration, FileModel } from '../../../languages/file-model/file-model.ts'
import { callTargets, isAbove, symbolsOf } from '../resolve/call-targets.ts'
import { importedFile } from '../resolve/imports.ts'
import type { ConfigFile } from '../../../languages/javascript/modules/module-finder.ts'
import { relatedMethods } from '../resolve/overriding.ts'
import type { Found, Project, ProjectFile } from '../resolve/project.ts'
import { resolveProject } from '../resolve/resolver.ts'
import type { CodeGraph, GraphEdge, GraphNode, Relation } from './code-graph.ts'
import { nodesOf } from './nodes-of.ts'
import { testEdges } from './test-edges.ts'

/** A graph, with the data needed to build the next one from it. */
export interface LinkedGraph extends CodeGraph {
  readonly project: Project
  readonly configs: readonly ConfigFile[]
  /** By path; the same object as before if the file was not processed again. */
  readonly files: ReadonlyMap<string, LinkedFile>
  readonly tests: readonly GraphEdge[]
}

/** The part of the graph that one file adds. Nodes of other files may be outdated; their ids are right. */
interface LinkedFile {
  readonly edges: readonly GraphEdge[]
  readonly modules: readonly GraphNode[]
}

/**
 * Links the models of a tree's files into one graph. If only function bodies changed since an earlier graph, processes
 * only the changed files.
 */
export function linkGraph(project: Project, configs: readonly ConfigFile[], before?: LinkedGraph): LinkedGraph {
  const nodes = nodesOf(project)
  const modules = new Map<string, GraphNode>()
  let edges: GraphEdge[] = []
  let usedNodes = new Set<GraphNode>()
  let edgeKeys = new Set<string>()
  const resolution = resolveProject(project, configs)
  const relatedTo = relatedMethods(resolution)
  const isKnown = before ? keepsLinks(before, project, configs) : () => false

  const files = new Map<string, LinkedFile>()
  for (const file of project.files.values()) files.set(file.path, previousLinks(file.path) ?? linkOne(file))
  const all = [...files.values()].flatMap(file => file.edges)
  for (const { modules: some } of files.values()) for (const node of some) modules.set(node.id, node)
  ;[edges, edgeKeys] = [[], new Set()]
  for (const { from, to } of testEdges(project, nodes, all)) add('TESTS', from, to)
  return {
    nodes: [...nodes.all(), ...modules.values()],
    edges: [...all, ...edges],
    project,
    configs,
    files,
    tests: edges,
  }

  function previousLinks(path: string): LinkedFile | undefined {
    return isKnown(path) ? before?.files.get(path) : undefined
  }

  function linkOne(file: ProjectFile): LinkedFile {
    ;[edges, usedNodes, edgeKeys] = [[], new Set(), new Set()]
    linkFile({ nodes, resolution, related: relatedTo, add, module }, file)
    return { edges, modules: [...usedNodes] }
  }

  function module(name: string, language: string): GraphNode {
    const family = isScript(language) ? familyOf(language) : language
    const id = `${family}:${name}`
    const node: GraphNode = modules.get(id) ?? {
      id,
      label: 'Module',
      name,
      path: '',
      lines: [0, 0],
      signature: '',
      language: family,
      exported: true,
    }
    modules.set(id, node)
    usedNodes.add(node)
    return node
  }

  function add(
    relation: Relation,
    from: GraphNode,
    to: GraphNode,
    { line = 0, name = '', direct = true }: EdgeFacts = {},
  ): void {
    const key = `${relation}\0${from.id}\0${to.id}\0${line}\0${name}`
    if (edgeKeys.has(key)) return
    edgeKeys.add(key)
    edges.push({ relation, from, to, line, name, direct })
  }
}

/** Context for the edges of one file. */
interface Linking {
  readonly nodes: ReturnType<typeof nodesOf>
  readonly resolution: ReturnType<typeof resolveProject>
  readonly related: ReturnType<typeof relatedMethods>
  add(relation: Relation, from: GraphNode, to: GraphNode, facts?: EdgeFacts): void
  module(name: string, language: string): GraphNode
}

interface EdgeFacts {
  readonly line?: number
  readonly name?: string
  readonly direct?: boolean
}

function linkFile(linking: Linking, file: ProjectFile): void {
  const { nodes, resolution, add, module } = linking
  const fileNode = nodes.file(file)
  const { symbols, imports, exports, references, package: packageName } = file.code
  if (packageName !== undefined && packageName !== '')
    add('CONTAINS', module(packageName, file.code.language), fileNode)
  for (const [number, symbol] of symbols.entries()) {
    const node = nodes.symbol({ file, number })
    if (!node) continue
    add('DEFINES', fileNode, node, { line: symbol.from })
    const holder = nodes.around({ file, number: symbol.parent })
    if (holder) add('CONTAINS', holder, node, { line: symbol.from })
    if (!isScript(file.code.language) && symbol.exported && symbol.parent === -1)
      add('EXPORTS', fileNode, node, { line: symbol.from, name: symbol.name })
    linkBases(linking, file, symbol, node)
  }
  for (const each of imports) {
    const target = importedFile(resolution, file, each)
    add('IMPORTS', fileNode, target ? nodes.file(target) : module(each.module, file.code.language), {
      line: each.line,
      name: each.name,
    })
  }
  for (const { name, value } of exports)
    for (const at of symbolsOf(resolution, value, { file, by: -1 })) {
      const node = nodes.symbol(at)
      if (node)
        add('EXPORTS', fileNode, node, {
          line: at.file === file ? node.lines[0] : 0,
          name: name === '=' ? 'default' : name,
        })
    }
  for (const reference of references) {
    const { kind, by, line, value } = reference
    const from = nodes.around({ file, number: by }) ?? fileNode
    if (kind === 'use') link(linking, 'USES', from, symbolsOf(resolution, value, { file, by }), line)
    else linkCalls(linking, from, callTargets(resolution, reference, { file, by }), line, isAbove(value))
  }
}

function linkCalls(linking: Linking, from: GraphNode, found: readonly Found[], line: number, isOfBase: boolean): void {
  const { nodes, related, add } = linking
  link(linking, 'CALLS', from, found, line)
  for (const at of found)
    for (const each of related(at)) {
      const node = nodes.symbol(each)
      if (node && !(isOfBase && node === from)) add('CALLS', from, node, { line, direct: false })
    }
}

function link(
  { nodes, add }: Linking,
  relation: Relation,
  from: GraphNode,
  found: readonly Found[],
  line: number,
): void {
  for (const at of found) {
    const node = nodes.symbol(at)
    if (node && (relation === 'CALLS' || node !== from)) add(relation, from, node, { line })
  }
}

function linkBases(
  { nodes, resolution, add }: Linking,
  file: ProjectFile,
  { kind, extends: above = [], implements: kinds = [] }: Declaration,
  node: GraphNode,
) {
  for (const value of [...above, ...kinds])
    for (const at of symbolsOf(resolution, value[0] === 'instance' ? value[1] : value, { file, by: -1 })) {
      const base = nodes.symbol(at)
      if (!base || base === node || !/^(Class|Interface|Type|Variable)$/.test(base.label)) continue
      const isKept = kind === 'class' && base.label === 'Interface'
      add(isKept || kinds.includes(value) ? 'IMPLEMENTS' : 'EXTENDS', node, base, { line: node.lines[0] })
    }
}

/**
 * Files whose links stay valid: unchanged ones, as long as no file came or went and the others changed only their
 * references and positions.
 */
function keepsLinks(
  before: { readonly project: Project; readonly configs: readonly ConfigFile[] },
  project: Project,
  configs: readonly ConfigFile[],
): (path: string) => boolean {
  const others = before.project.files
  if (others.size !== project.files.size || JSON.stringify(before.configs) !== JSON.stringify(configs)) return never
  const changedPaths = new Set<string>()
  for (const { path, code } of project.files.values()) {
    const old = others.get(path)?.code
    if (old === code) continue
    if (old === undefined || interfaceOf(old) !== interfaceOf(code)) return never
    changedPaths.add(path)
  }
  return path => !changedPaths.has(path)
}

const never = (): boolean => false

/** Everything that other files may depend on: no positions and no references. */
const interfaceOf = (code: FileModel): string =>
  JSON.stringify({ ...code, references: [] }, (name, value: unknown) =>
    typeof value === 'number' && /^(from|to|line|start|end|nameAt|headAt)$/.test(name) ? undefined : value,
  )
