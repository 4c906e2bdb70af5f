import { languageOf } from '../../languages/registry.ts'
import { ToolError } from '../../kernel/error.ts'
import { hashOf, readWhole } from '../../machine/workspace/disk.ts'
import type { Root } from '../../machine/workspace/root.ts'
import type { Staging } from '../../machine/workspace/staging.ts'
import { createView, type Look } from '../../machine/workspace/view.ts'
import { decode } from '../model/decode.ts'
import { LARGEST } from '../model/facts/facts-of.ts'
import { folderOf, foldersUp } from '../../languages/javascript/modules/folder-paths.ts'
import { modulePlaces } from '../../languages/javascript/modules/module-places.ts'
import { isSettings, moduleSettings, type ModuleSettings } from '../../languages/javascript/modules/module-settings.ts'
import type { SettingsSource } from '../../languages/javascript/modules/settings-source.ts'
import type { RepositoryIndex } from './repository-index.ts'
import { parseFileRecord } from './parse-file-record.ts'
import { stagedFile } from './staged-changes.ts'
import type { Visibility } from './table/answer.ts'
import type { FoundFile } from './table/entry.ts'
import { followedExports } from './table/followed-exports.ts'
import { unpackFacts } from './table/pack-facts.ts'
import type { FileFacts } from './types.ts'

interface VisibleFactsParts {
  readonly root: Root
  readonly staging: Staging
  readonly mayRead: (path: string) => boolean
  /** Used if it is open; one file is no reason to open it. */
  readonly index: RepositoryIndex | undefined
  sightOf(index: RepositoryIndex): Promise<Visibility | undefined>
}

/** Returns the facts of one file as a call sees it: from the index if that is open, else from the file itself. */
export async function visibleFacts(parts: VisibleFactsParts, path: string): Promise<FileFacts | undefined> {
  const { root, staging, mayRead, index } = parts
  const view = createView(root, staging)
  const rel = view.look(path, {}, ({ located, type }) => (type === 'file' ? located.rel : undefined))
  if (rel === undefined || languageOf(rel) === undefined || !mayRead(rel)) return undefined
  const indexFacts = index && (await index.facts({ path: rel, sight: await parts.sightOf(index) }))
  // The index does not contain ignored files.
  return indexFacts ?? alone(rel)

  async function alone(of: string): Promise<FileFacts | undefined> {
    const files = new Map<string, FoundFile | undefined>()
    const places = modulePlaces(settingsAround(of))
    const file = await get(of)
    const open = file ? [file] : []
    for (let from = open.pop(); from; from = open.pop())
      for (const specifier of from.facts?.stars ?? [])
        for (const candidate of places(from.path, specifier).files) {
          const isNew = !files.has(candidate)
          const target = await get(candidate)
          if (!target) continue
          if (isNew) open.push(target)
          break
        }
    const exportsOf = followedExports({ get: each => files.get(each), places })
    return file && unpackFacts({ ...file, exports: exportsOf(file) })

    async function get(wanted: string): Promise<FoundFile | undefined> {
      if (!files.has(wanted)) files.set(wanted, mayRead(wanted) ? await loadFile(wanted) : undefined)
      return files.get(wanted)
    }
  }

  /** Reads the packages around the file, and those linked for it. Others are not listed. */
  function settingsAround(of: string): SettingsSource {
    const settingsByPath = new Map<string, ModuleSettings | undefined>()
    const above = [...foldersUp(folderOf(of))]
    const at = (wanted: string) => {
      if (!settingsByPath.has(wanted)) settingsByPath.set(wanted, settingsOf(wanted))
      return settingsByPath.get(wanted)
    }
    const isNamed = (settings: ModuleSettings | undefined, name: string) =>
      settings?.kind === 'package' && settings.name === name
    const manifests = (name: string) =>
      above
        .flatMap(folder => [folder, linkedFolder(`${folder}node_modules/${name}`) ?? folder])
        .map(each => `${each}package.json`)
    return { at, named: name => [...new Set(manifests(name))].filter(each => isNamed(at(each), name)) }
  }

  /** Returns the target of a package manager's link: for a workspace package, its own folder. */
  function linkedFolder(link: string): string | undefined {
    const folder = lookedFor(link, ({ located, type }) => (type === 'directory' ? located.rel : undefined))
    return folder === undefined || folder === '' ? folder : `${folder}/`
  }

  function settingsOf(wanted: string): ModuleSettings | undefined {
    if (!isSettings(wanted) || !mayRead(wanted)) return undefined
    const content = contentOf(wanted)
    if (!content) return undefined
    return moduleSettings(wanted, decode('state' in content ? view.bytes(content.state) : content.bytes))
  }

  async function loadFile(wanted: string): Promise<FoundFile | undefined> {
    const content = contentOf(wanted)
    if (!content) return undefined
    if ('state' in content) return stagedFile(view, wanted, content.state)
    const { bytes } = content
    const record = await parseFileRecord(wanted, bytes)
    return { path: wanted, size: bytes.length, mtimeMs: 0, content: hashOf(bytes), ...record }
  }

  function contentOf(wanted: string) {
    return lookedFor(wanted, ({ located, seen, type }) => {
      if (type !== 'file' || located.rel !== wanted) return undefined
      if (seen.type === 'file') return { state: seen }
      if (located.stats === undefined || located.stats.size > LARGEST) return { bytes: Buffer.alloc(0) }
      return { bytes: readWhole(root, located).bytes }
    })
  }

  function lookedFor<T>(wanted: string, use: (look: Look) => T): T | undefined {
    try {
      return view.look(wanted, {}, use)
    } catch (error) {
      // Lookups try many paths; one below a file is not a failure of the request.
      if (wanted === rel || !(error instanceof ToolError)) throw error
      return undefined
    }
  }
}
