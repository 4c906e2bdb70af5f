import { languageAt, languageNamed } from '../../../languages/registry.ts'
import { SCRIPT_ENDING } from '../../../languages/javascript/reflection.ts'
import { oncePer } from '../../../kernel/once.ts'
import { isRelative } from '../../../languages/javascript/modules/candidates.ts'
import { moduleFinder } from '../../../languages/javascript/modules/module-finder.ts'
import type { Affected } from './affected-files.ts'
import type { Overlay } from './types.ts'
import type { ProjectSnapshot } from './project-snapshot.ts'

/** Files that a server would judge wrongly while a change is only staged, with the reason. */
export type UnjudgeableFiles = ReadonlyMap<string, string>

const DIRECTORY = 'No language server finds imports from a directory that is only staged: land a file in it first'

/** The disk, which servers look at themselves. */
interface Disk {
  isDirectory(path: string): boolean
  hasFile(path: string): boolean
}

/**
 * A server resolves no import into a directory that is only staged, some none of any file that is not on disk, and that
 * of headers still finds one that is only staged for deletion. So neither such importers nor their importers can be
 * judged.
 */
export function unjudgeableFiles(
  snapshot: ProjectSnapshot,
  overlay: Overlay,
  { isDirectory, hasFile }: Disk,
): UnjudgeableFiles {
  const blind = new Map<string, string>()
  const inNewFolders = Object.entries(overlay).flatMap(([path, text]) => {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    return text === null || folder === '' || isDirectory(folder) ? [] : [path]
  })
  spread(inNewFolders, DIRECTORY)
  for (const [path, text] of Object.entries(overlay)) {
    const { server } = languageAt(path)
    if (text !== null && server?.looksForImportsOnDisk && !hasFile(path))
      spread([path], `${server.name} finds no import of ${path}, which is not on disk`)
  }
  const deletedHeaders = Object.entries(overlay).flatMap(([path, text]) =>
    text === null && languageAt(path).hasHeaders ? [path] : [],
  )
  if (deletedHeaders.length === 0) return blind
  const deleted = new Set(deletedHeaders)
  const finders = oncePer((name: string) => languageNamed(name).importedFiles?.(deleted))
  for (const [path, { facts }] of snapshot.files) {
    const { name, hasHeaders } = languageAt(path)
    const [missing] = hasHeaders ? facts.requests.flatMap(request => finders(name)?.(path, request) ?? []) : []
    if (missing === undefined || blind.has(path)) continue
    const why = `No language server sees that ${missing} is not there before the change has landed`
    blind.set(path, why)
    spread([path], why)
  }
  return blind

  function spread(from: readonly string[], why: string): void {
    const open = [...from]
    for (let path = open.pop(); path !== undefined; path = open.pop())
      for (const importer of snapshot.importersOf(path)) {
        if (blind.has(importer)) continue
        blind.set(importer, why)
        open.push(importer)
      }
  }
}

interface DeletionParts {
  /** The files including the deleted ones. */
  readonly whole: ProjectSnapshot
  readonly without: ProjectSnapshot
  /** Deleted files that are still on disk. */
  readonly gone: readonly string[]
}

/**
 * Files that request a file staged for deletion, and import no names from it. A server sees an empty file in its place,
 * which satisfies such a request.
 */
export function stagedDeletions({ whole, without, gone }: DeletionParts): UnjudgeableFiles {
  const blind = new Map<string, string>()
  const isGone = new Set(gone)
  const has = (path: string) => without.files.has(path) || isGone.has(path)
  const modules = moduleFinder(has, [])
  const paths = new Set([...without.files.keys(), ...gone])
  const finders = oncePer((name: string) => languageNamed(name).importedFiles?.(paths))
  for (const path of gone)
    for (const from of whole.importersOf(path)) {
      const { wholes = [] } = without.files.get(from)?.facts ?? {}
      if (wholes.some(request => isMeant(from, request, path)))
        blind.set(
          from,
          `No language server sees that ${path}, which ${from} asks for as a whole, is not there before the change has landed`,
        )
    }
  return blind

  function isMeant(from: string, request: string, path: string): boolean {
    const { name, hasHeaders } = languageAt(from)
    const find = hasHeaders ? undefined : finders(name)
    if (find) return find(from, request).includes(path)
    if (isRelative(request)) return modules(from, request) === path
    return stemOf(request) === stemOf(path)
  }
}

const stemOf = (path: string): string | undefined =>
  path
    .replace(SCRIPT_ENDING, '')
    .replace(/\/index$/, '')
    .split('/')
    .at(-1)

/**
 * Why a change is not judged: a file imports a changed one from the last build of a workspace package, so a server
 * would report the state before the change.
 */
export function unbuiltImport(
  snapshots: readonly ProjectSnapshot[],
  affectedPaths: readonly Affected[],
): string | undefined {
  const changedPaths = new Set(affectedPaths.map(({ path }) => path))
  for (const { path } of affectedPaths)
    for (const { files } of snapshots) {
      const builtImport = files.get(path)?.built?.find(each => changedPaths.has(each.path))
      if (builtImport)
        return `${path} has '${builtImport.request}' as it was built last: what changes for it is known when it is built anew`
    }
  return undefined
}
