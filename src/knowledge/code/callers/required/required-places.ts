import { isScriptFile } from '../../../../languages/registry.ts'
import type { CodeParts } from '../../code-parts.ts'
import { visibleText } from '../../visible-text.ts'
import type { FileModel } from '../../../../languages/file-model/file-model.ts'
import { parseModel } from '../../../model/parse-model.ts'
import { exportedNames, symbolFinder, type IsSymbol } from './exported-names.ts'
import { scriptsOf, type LinkedScripts, type Scripts } from './linked-scripts.ts'
import { alikeIn, placesIn, type ReadFile, type RequiredPlace } from './places-in.ts'

export interface Required {
  readonly places: readonly RequiredPlace[]
  /** Modules that export the symbol. */
  readonly modules: ReadonlySet<string>
  sourcesOf: LinkedScripts['sourcesOf']
}

const NONE: Required = { places: [], modules: new Set(), sourcesOf: () => undefined }

/**
 * Places with the name of a symbol in scripts that `require` its module or import it from a built workspace package,
 * and in components. The server of scripts follows neither and reads no components, so the text is read.
 */
export async function requiredPlaces(
  parts: CodeParts,
  path: string,
  name: string,
  loadScripts: Scripts = scriptsOf(parts),
): Promise<Required> {
  if (!isScriptFile(path)) return NONE
  const scripts = await loadScripts()
  const { moduleOf, requirers, components, sourcesOf } = scripts
  const lostFiles = new Set(scripts.lost(path))
  if (requirers.size === 0 && components.size === 0 && lostFiles.size === 0) return NONE
  const [outer = '', ...inner] = name.split('.')
  const { handed, read, isItIn } = await exportersOf(parts, scripts, path, outer)
  if (handed.size === 0) return NONE
  const member = inner.at(-1)
  const anywhere = new Set([outer, ...[...handed.values()].flatMap(names => [...names])])
  const wantedNames = member === undefined ? [...anywhere] : [member]
  const symbolPlaces: RequiredPlace[] = []
  for (const file of new Set([...requirers.keys(), ...components.keys(), ...lostFiles])) {
    if (file === path) continue
    const all = requirers.get(file) ?? []
    const modules = all.filter(each => handed.has(each))
    const component = components.get(file)
    const isMentioned = component !== undefined && wantedNames.some(each => component.includes(each))
    // A member may belong to an object from any of our modules.
    const isAsked = member === undefined || all.length > 0
    if (modules.length === 0 && !(isMentioned && isAsked) && !lostFiles.has(file)) continue
    const readFile = await read(file, text => wantedNames.some(each => UNNAMED.has(each) || text.includes(each)))
    if (!readFile) continue
    if (lostFiles.has(file)) symbolPlaces.push(...(await alikeIn(readFile, word => wantedNames.includes(word.name))))
    if (modules.length === 0 && component === undefined) continue
    if (member !== undefined)
      symbolPlaces.push(...(await alikeIn(readFile, word => word.name === member && word.role === 'member')))
    else
      symbolPlaces.push(
        ...(await placesIn(readFile, {
          isIt: isItIn(readFile),
          isMeant: specifier => handed.has(moduleOf(file, specifier) ?? ''),
          isLost: specifier => FOUND.test(specifier) && moduleOf(file, specifier) === undefined,
          names: new Set(modules.flatMap(each => [...(handed.get(each) ?? [])])),
          anywhere,
        })),
      )
  }
  return { places: symbolPlaces, modules: new Set(handed.keys()), sourcesOf }
}

interface Exporters {
  /** Every module that exports the symbol, its own and re-exporting ones. */
  readonly handed: ReadonlyMap<string, ReadonlySet<string>>
  read(path: string, isWanted?: (text: string) => boolean): Promise<ReadFile | undefined>
  /** Returns a test of a file's values for the symbol. */
  isItIn(file: ReadFile): IsSymbol
}

async function exportersOf(
  { root, staging }: CodeParts,
  { moduleOf, importersOf }: LinkedScripts,
  path: string,
  name: string,
): Promise<Exporters> {
  const namesByExporter = new Map<string, ReadonlySet<string>>()
  const codes = new Map<string, FileModel>()
  const ownFile = await read(path)
  let layer = ownFile ? [ownFile] : []
  while (layer.length > 0) {
    for (const each of layer) codes.set(each.path, each.code)
    const isIt = symbolFinder(codes, moduleOf, { path, name })
    const next = new Map<string, ReadFile>()
    for (const each of layer) {
      const names = exportedNames(each.path, each.code, isIt, namesByExporter, moduleOf)
      if (names.size <= (namesByExporter.get(each.path)?.size ?? 0)) continue
      namesByExporter.set(each.path, names)
      for (const file of importersOf(each.path)) {
        const importer = file === path ? undefined : await read(file, text => mayHandOn(text, names))
        if (importer) next.set(file, importer)
      }
    }
    layer = [...next.values()]
  }
  return {
    handed: namesByExporter,
    read,
    isItIn: file => symbolFinder([...codes, [file.path, file.code]], moduleOf, { path, name }),
  }

  async function read(file: string, isWanted: (text: string) => boolean = () => true): Promise<ReadFile | undefined> {
    const text = visibleText(root, staging, file)
    const code = text === undefined || !isWanted(text) ? undefined : await parseModel(file, Buffer.from(text))
    return text !== undefined && code ? { path: file, text, code } : undefined
  }
}

const mayHandOn = (text: string, names: ReadonlySet<string>): boolean =>
  /\bexports?\b/.test(text) && (WHOLE.test(text) || [...names].some(each => text.includes(each)))

/** Names that only a bundler or a framework could resolve: `@/x`, `~/x`, `#x`. */
const FOUND = /^(?:@\/|~|#|\/|\$)/

/** Text that may re-export everything without naming it. */
const WHOLE = /\*|require|default/

/** A module or default export can have any name elsewhere. */
const UNNAMED = new Set(['=', 'default'])
