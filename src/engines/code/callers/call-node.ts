import { itemKey } from '../servers/asked-server.ts'
import { KIND, type CallItem, type Position, type Range } from '../servers/lsp-words.ts'
import type { FileLooks } from './file-looks.ts'

/** A function in the graph of calls, or the code of a file outside of any. */
export interface CallNode {
  readonly key: string
  readonly name: string
  readonly path: string
  /** What the server calls it; none for the code of a file, which nobody calls. */
  readonly items: readonly CallItem[]
  /** Where its name is written, for questions about references. */
  readonly positions: readonly Position[]
  /** Nobody can be asked who calls it. */
  readonly isUnserved?: true
}

/** A call or another use of a function. */
export interface Use {
  readonly by: CallNode
  readonly path: string
  /** 1-based. */
  readonly line: number
}

export interface PlacedUse extends Use {
  readonly range: Range
}

export const moduleNode = (path: string): CallNode => ({
  key: `${path} module`,
  name: '<module>',
  path,
  items: [],
  positions: [],
})

/** A function of a file that no server reads. */
export const unservedNode = (path: string, name: string): CallNode =>
  name === '<module>'
    ? moduleNode(path)
    : { key: `${path} ${name}`, name, path, items: [], positions: [], isUnserved: true }

const FILES = new Set<number>([KIND.file, KIND.module])

/** Whether the server means the code of a whole file. */
export const isModule = ({ kind, selectionRange: { start, end } }: CallItem): boolean =>
  FILES.has(kind) && start.line === end.line && start.character === end.character

/** The function that the server names, under the name that people give it. */
export async function nodeOf(item: CallItem, path: string, looks: FileLooks): Promise<CallNode> {
  const named = await looks.namedAt(path, item.selectionRange)
  return {
    key: itemKey(item),
    name: named?.name ?? item.name,
    path,
    items: [item],
    positions: [item.selectionRange.start],
  }
}

export const useAt = (by: CallNode, path: string, range: Range): PlacedUse => ({
  by,
  path,
  line: range.start.line + 1,
  range,
})
