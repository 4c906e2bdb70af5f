import { statSync } from 'node:fs'
import type { FileModel } from '../../../../languages/file-model/file-model.ts'
import type { Ladybug } from '../database/ladybug.ts'
import { updateDatabase } from '../database/update-database.ts'
import { writeDatabase } from '../database/write-database.ts'
import { graphChange } from '../graph-change.ts'
import { linkGraph, type LinkedGraph } from '../link-graph.ts'
import { projectOf } from '../../resolve/project.ts'
import type { CodeCache } from './code-cache.ts'
import type { GraphFiles } from './graph-files.ts'
import type { Tree } from './messages.ts'
import { readTree, type NamedTree } from './read-tree.ts'

interface Built {
  readonly key: string
  readonly graph: LinkedGraph
  /** By path, with the key of the content: files never share values, even if their contents are equal. */
  readonly codes: ReadonlyMap<string, { readonly key: string; readonly code: FileModel }>
  /** Size of the file when it was last fully written. */
  readonly bytes: number
}

/** Graphs of more files are not kept in memory for the next one. */
const MOST_FILES = 15_000
/** A file that was changed repeatedly grows larger than one written at once. */
const MOST_GROWN = 2

/** Builds graph files, each from the last one if little has changed. */
export function graphBuilder(files: GraphFiles, cache: CodeCache) {
  let last: Built | undefined
  return async (ladybug: Ladybug, tree: Tree, named: NamedTree, key: string): Promise<void> => {
    const { codes, configs, keys } = await readTree(tree, named, {
      get(code, path) {
        const previous = last?.codes.get(path)
        return previous?.key === code ? previous.code : cache.get(code)
      },
      put: cache.put,
    })
    const graph = linkGraph(projectOf(codes, last?.graph.project), configs, last?.graph)
    files.keepUnread(
      key,
      codes.flatMap(([path, code]) => (code.isUnparsed ? [path] : [])),
    )
    const bytes = await writeGraph(ladybug, graph, files.file(key))
    last = codes.length > MOST_FILES ? undefined : { key, graph, codes: byPath(codes, keys), bytes }
  }

  async function writeGraph(ladybug: Ladybug, graph: LinkedGraph, file: string): Promise<number> {
    const before = last && files.has(last.key) ? last : undefined
    const from = before && files.file(before.key)
    if (before && from !== undefined && statSync(from).size < before.bytes * MOST_GROWN) {
      const change = graphChange(before.graph, graph, mostChanges(graph))
      if (change) {
        await updateDatabase(ladybug, from, change, file)
        return before.bytes
      }
    }
    await writeDatabase(ladybug, graph, file)
    return statSync(file).size
  }
}

/** One change takes as long as writing 150 rows; to write takes as long as 100 changes before the first row. */
const mostChanges = ({ nodes, edges }: LinkedGraph): number => 100 + (nodes.length + edges.length) / 150

const byPath = (codes: readonly (readonly [string, FileModel])[], keys: ReadonlyMap<string, string>) =>
  new Map(codes.map(([path, code]) => [path, { key: keys.get(path) ?? '', code }]))
