import { join } from 'node:path'
import { ToolError } from '../../../../kernel/error.ts'
import { collectGarbage } from '../../../../machine/process/collect-garbage.ts'
import { cacheGrew } from '../../../../machine/upkeep/growth.ts'
import { openDatabase } from '../database/ask-database.ts'
import { loadLadybug } from '../database/ladybug.ts'
import { graphBuilder } from './build-graphs.ts'
import { openCodeCache } from './code-cache.ts'
import { graphFiles } from './graph-files.ts'
import { resourceCache } from './resource-cache.ts'
import type { FromHost, ToHost, Tree } from './messages.ts'
import { namedTree, treeKey, type Stamps } from './read-tree.ts'

/**
 * Builds graphs and answers queries in a process of its own: the database is native code, and a query that exhausts
 * memory must not exhaust ours.
 */
const [directory = ''] = process.argv.slice(2)
/** Increases when the same files produce a different graph. */
const VERSION = '27'
const MOST_OPEN = 4
/** Total size of open graphs; the database keeps much of them in memory. */
const MOST_OPEN_BYTES = 512 * 1024 ** 2
/** Frees memory after this idle time: a request at that moment has to wait for it. */
const QUIET_MS = 3000

const files = graphFiles(join(directory, 'graphs'))
const cache = openCodeCache(join(directory, 'code.sqlite'))
const build = graphBuilder(files, cache)
const stamps: Stamps = new Map()
const databases = resourceCache({
  most: MOST_OPEN,
  mostBytes: MOST_OPEN_BYTES,
  open: async key => openDatabase(await loadLadybug(), files.file(key)),
  bytesOf: files.bytes,
})
let building: Promise<unknown> = Promise.resolve()
let quiet: NodeJS.Timeout | undefined
let hasBuilt = false

process.on('disconnect', () => process.exit(0))
process.on('message', (message: ToHost) => void answer(message))

async function answer(message: ToHost): Promise<void> {
  const { id } = message
  clearTimeout(quiet)
  try {
    say(
      message.type === 'prepare'
        ? { id, type: 'prepared', key: await prepareGraph(message.tree) }
        : await answerQuestion(message),
    )
  } catch (error) {
    const { hint, code } = error instanceof ToolError ? error : { hint: undefined, code: undefined }
    const text = error instanceof Error ? error.message : String(error)
    say({ id, type: 'failed', message: text, ...(hint !== undefined && { hint }), ...(code !== undefined && { code }) })
  }
  clearTimeout(quiet)
  if (hasBuilt) quiet = setTimeout(tidy, QUIET_MS)
}

/** Frees memory left from building a graph, which would otherwise stay until the next build. */
function tidy(): void {
  hasBuilt = false
  collectGarbage()
}

const say = (message: FromHost): void => void process.send?.(message)

async function prepareGraph(tree: Tree): Promise<string> {
  const blobTree = namedTree(tree, stamps)
  const ladybug = await loadLadybug()
  const key = treeKey(blobTree, `${VERSION} ${ladybug.STORAGE_VERSION}`)
  // One after another, so that two requests for the same graph share one build.
  const nextBuild = building.then(async () => {
    if (!files.has(key)) {
      await build(ladybug, tree, blobTree, key).finally(() => {
        hasBuilt = true
      })
      cacheGrew(directory, files.bytes(key))
    }
    files.use(key)
  })
  building = nextBuild.catch(() => {})
  await nextBuild
  return key
}

async function answerQuestion({ id, key, question }: ToHost & { readonly type: 'ask' }): Promise<FromHost> {
  if (!files.has(key)) return { id, type: 'gone' }
  const rows = await databases.use(key, database => database.ask(question))
  return { id, type: 'rows', rows: { ...rows, unread: files.unread(key) } }
}
