import { totalmem } from 'node:os'
import { join } from 'node:path'
import { openRepositoryIndex } from '../index/open-repository-index.ts'
import { userPlaces } from '../tree/ignore/user-places.ts'
import { isSecretFile } from '../../kernel/secret-files.ts'
import type { KnownFile } from '../tree/catalog.ts'
import { openTree, type DiskTree } from '../tree/open-tree.ts'
import { loadTree, saveTree } from '../tree/saved-tree.ts'
import { openSearchIndex } from '../search/index/open-search-index.ts'
import { saveSearch } from '../search/stored/save-search.ts'
import { openGraphs } from '../code/graph/open-graphs.ts'
import { serverMemory } from '../code/servers/server-memory.ts'
import { guardedFilesOf, type Environment } from '../../machine/state/directory.ts'
import { writePrivateFile } from '../../machine/state/private-file.ts'
import type { Root } from '../../machine/workspace/root.ts'
import { codePart } from './code-part.ts'
import { graphPart } from './graph-part.ts'
import { indexPart } from './index-part.ts'
import type { PartRules, ResidentPart } from './part.ts'
import { searchPart } from './search-part.ts'
import { searchStore } from './search-store.ts'
import { deniedPlaces, deniedVersion } from '../../machine/state/denied-places.ts'

interface PartContext {
  readonly root: Root
  /** The workspace's folder in the state directory. */
  readonly state: string
  readonly env: Environment
  readonly memoryBytes: number
  readonly rules: PartRules
}

/** Opens the parts that the process holds of its workspace. All are built in the background. */
export function openParts({ root, state, env, memoryBytes, rules }: PartContext): readonly ResidentPart[] {
  const [treeFile, store] = [join(state, 'tree'), searchStore(state)]
  const tree = openTree(root, { saved: loadTree(treeFile), user: userPlaces(env) })
  const isDenied = deniedNow(state, rules.deniedBy)
  const index = openSearchIndex({
    directory: `/proc/self/fd/${root.fd}`,
    tree,
    compileGlob: rules.compileGlob,
    memoryBytes: Math.min(memoryBytes, mostBytes()),
    cache: store,
    isDenied,
    async onStored(segments) {
      await tree.settle()
      const image = tree.image(rules.isForeign)
      if (image) saveSearch(store, image, segments)
    },
  })
  const facts = openRepositoryIndex({
    tree,
    directory: root.path,
    cacheDirectory: join(state, 'index'),
    leaveOut: rules.isForeign,
    isDenied,
    after: index.ready(),
  })
  const memory = serverMemory()
  const treeKeeper = keepTree(tree, treeFile, index.ready(), files => saveGuarded(state, files, isDenied))
  return [
    searchPart({ tree, index, ...rules, around: places => facts.around(places, true) }),
    indexPart(facts, tree),
    codePart({ root, tree, env, memory }),
    graphPart(openGraphs(state, env, memory)),
    {
      answers: {},
      close() {
        treeKeeper.save()
        tree.close()
      },
    },
  ]
}

/** At most a quarter of the memory of a small machine or container. */
const mostBytes = (): number => Math.min(process.constrainedMemory() || Infinity, totalmem()) / 4

const LOOK_MS = 20

/** Reports whether a rule denies a path, by the rules recorded for the workspace at that moment. */
function deniedNow(
  state: string,
  deniedBy: (globs: readonly string[]) => (path: string) => boolean,
): (path: string) => boolean {
  let [version, lastLook] = ['', -Infinity]
  let isDenied = (_path: string): boolean => false
  return path => {
    const now = performance.now()
    if (now - lastLook > LOOK_MS) {
      lastLook = now
      const current = deniedVersion(state)
      if (current !== version) isDenied = deniedBy(deniedPlaces(state))
      version = current
    }
    return isDenied(path)
  }
}

/** Stores which files rules deny or hold secrets: a session that is given another name of one (a hard link) asks. */
function saveGuarded(state: string, files: ReadonlyMap<string, KnownFile>, isDenied: (path: string) => boolean): void {
  const guardedFiles = [...files.values()].filter(({ path }) => isSecretFile(path) || isDenied(path))
  writePrivateFile(guardedFilesOf(state), JSON.stringify(guardedFiles.map(({ path, ino }) => ({ path, ino }))))
}

/**
 * Saves the files of a tree for the next process: once they are known, because a process may be killed, and when it
 * ends. A missing or old list costs the next process only some time.
 */
function keepTree(
  tree: DiskTree,
  path: string,
  known: Promise<void>,
  saveMore: (files: ReadonlyMap<string, KnownFile>) => void,
): { save(): void } {
  let savedVersion: number | undefined
  function save(): void {
    if (savedVersion === tree.version() || tree.defect() !== undefined) return
    savedVersion = tree.version()
    try {
      saveTree(tree.files(), path)
      saveMore(tree.files())
    } catch {}
  }
  let isKnown = false
  known.then(
    () => {
      isKnown = true
      save()
    },
    () => undefined,
  )
  return { save: () => void (isKnown && save()) }
}
