import { join } from 'node:path'
import { ToolError } from '../../../../kernel/error.ts'
import { openDatabase, type OpenDatabase } from '../database/ask-database.ts'
import { loadLadybug } from '../database/ladybug.ts'
import { graphBuilder } from './build-graphs.ts'
import { openCodeCache } from './code-cache.ts'
import { graphFiles } from './graph-files.ts'
import type { FromHost, ToHost, Tree } from './messages.ts'
import { namedTree, treeKey, type Stamps } from './read-tree.ts'

/**
 * Makes graphs and answers questions about them, in a process of its own: the database is native code, and a question
 * that takes all memory must not take ours.
 */
const [directory = ''] = process.argv.slice(2)
/** Goes up when a graph of the same files comes out otherwise. */
const VERSION = '7'
const MOST_OPEN = 4

const files = graphFiles(join(directory, 'graphs'))
const cache = openCodeCache(join(directory, 'code.sqlite'))
const build = graphBuilder(files, cache)
const stamps: Stamps = new Map()
const open = new Map<string, OpenDatabase>()
let building: Promise<unknown> = Promise.resolve()

process.on('disconnect', () => process.exit(0))
process.on('message', (message: ToHost) => void answer(message))

async function answer(message: ToHost): Promise<void> {
  const { id } = message
  try {
    say(message.type === 'prepare' ? { id, type: 'prepared', key: await prepared(message.tree) } : await asked(message))
  } catch (error) {
    const { hint, code } = error instanceof ToolError ? error : { hint: undefined, code: undefined }
    const text = error instanceof Error ? error.message : String(error)
    say({ id, type: 'failed', message: text, ...(hint !== undefined && { hint }), ...(code !== undefined && { code }) })
  }
}

const say = (message: FromHost): void => void process.send?.(message)

async function prepared(tree: Tree): Promise<string> {
  const named = namedTree(tree, stamps)
  const key = treeKey(named, VERSION)
  // One after the other, so that two who want the same wait for one.
  const made = building.then(async () => {
    if (!files.has(key)) {
      const ladybug = await loadLadybug()
      await build(ladybug, tree, named, key)
    }
    files.use(key)
  })
  building = made.catch(() => {})
  await made
  return key
}

async function asked({ id, key, question }: ToHost & { readonly type: 'ask' }): Promise<FromHost> {
  const database = await opened(key)
  return database ? { id, type: 'rows', rows: await database.ask(question) } : { id, type: 'gone' }
}

async function opened(key: string): Promise<OpenDatabase | undefined> {
  const before = open.get(key)
  if (before) {
    open.delete(key)
    open.set(key, before)
    return before
  }
  if (!files.has(key)) return undefined
  const database = openDatabase(await loadLadybug(), files.file(key))
  open.set(key, database)
  const [oldest] = open.keys()
  if (open.size > MOST_OPEN && oldest !== undefined) {
    const closed = open.get(oldest)
    open.delete(oldest)
    await closed?.close()
  }
  return database
}
