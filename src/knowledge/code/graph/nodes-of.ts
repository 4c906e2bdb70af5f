import { languageNamed } from '../../../languages/registry.ts'
import type { Declaration } from '../../../languages/file-model/file-model.ts'
import type { GraphNode, Label } from './code-graph.ts'
import { ancestry, dottedPath, type Found, type Project, type ProjectFile } from '../resolve/project.ts'

/** The nodes of a project's files and symbols. */
export interface Nodes {
  file(file: ProjectFile): GraphNode
  /** Undefined for a symbol without a node, such as a field or an unnamed class. */
  symbol(at: Found): GraphNode | undefined
  /** The node of the symbol, or the nearest around it; undefined if that is the file. */
  around(at: Found): GraphNode | undefined
  all(): readonly GraphNode[]
}

const LABEL_OF: Readonly<Record<Declaration['kind'], Label | undefined>> = {
  function: 'Function',
  method: 'Method',
  class: 'Class',
  interface: 'Interface',
  type: 'Type',
  enum: 'Type',
  variable: 'Variable',
  module: 'Module',
  test: 'Test',
  property: undefined,
}

export function nodesOf(project: Project): Nodes {
  const all: GraphNode[] = []
  const files = new Map<ProjectFile, GraphNode>()
  const symbols = new Map<ProjectFile, (GraphNode | undefined)[]>()
  const ids = new Set<string>()
  for (const file of project.files.values()) {
    const { path, code } = file
    const last = code.symbols.reduce((most, { to }) => Math.max(most, to), 1)
    const node: GraphNode = {
      id: path,
      label: 'File',
      name: path.slice(path.lastIndexOf('/') + 1),
      path,
      lines: [1, last],
      signature: '',
      language: code.language,
      exported: false,
    }
    files.set(file, node)
    all.push(node)
    const symbolNodes = code.symbols.map((symbol, number) => nodeOf(symbol, { file, number }))
    symbols.set(file, symbolNodes)
    for (const each of symbolNodes) if (each) all.push(each)
  }
  const nodes: Nodes = {
    file(file) {
      const node = files.get(file)
      if (!node) throw new Error(`No node for ${file.path}`)
      return node
    },
    symbol: ({ file, number }) => symbols.get(file)?.[number],
    around({ file, number }) {
      for (let at = number; at >= 0; at = file.code.symbols[at]?.parent ?? -1) {
        const node = nodes.symbol({ file, number: at })
        if (node) return node
      }
      return undefined
    },
    all: () => all,
  }
  return nodes

  function nodeOf(symbol: Declaration, at: Found): GraphNode | undefined {
    const label = isTest(symbol, at.file) ? 'Test' : LABEL_OF[symbol.kind]
    if (label === undefined || symbol.name === '') return undefined
    const { path, code } = at.file
    return {
      id: freeId(`${path}#${dottedPath(ancestry(at))}`),
      label,
      name: symbol.name,
      path,
      lines: [symbol.from, symbol.to],
      signature: symbol.signature,
      language: code.language,
      exported: symbol.exported,
    }
  }

  /** Numbers symbols of the same name by their order. */
  function freeId(id: string): string {
    let free = id
    for (let next = 2; ids.has(free); next++) free = `${id}~${next}`
    ids.add(free)
    return free
  }
}

/** Some runners take every method with such a name in a test class. */
const isTest = ({ name, kind, isTest: isMarked }: Declaration, { code }: ProjectFile): boolean =>
  kind === 'test' ||
  isMarked === true ||
  (code.isTest === true &&
    /^(function|method)$/.test(kind) &&
    name.startsWith(languageNamed(code.language).testPrefix ?? '\0'))
