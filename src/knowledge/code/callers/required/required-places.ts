import type { CodeParts } from '../../code-parts.ts'
import { seenText } from '../../seen-text.ts'
import { parseModel } from '../../../model/parse-model.ts'
import { namesHanded } from './handed-names.ts'
import { scriptsOf, type LinkedScripts, type Scripts } from './linked-scripts.ts'
import { componentPlaces } from './component-places.ts'
import { lookAlikes, placesIn, type ReadFile, type RequiredPlace } from './places-in.ts'
import { isScript } from './script-requests.ts'

export interface Required {
  readonly places: readonly RequiredPlace[]
  /** Those that hand the symbol out. */
  readonly modules: ReadonlySet<string>
  sourcesOf: LinkedScripts['sourcesOf']
}

const NONE: Required = { places: [], modules: new Set(), sourcesOf: () => undefined }

/**
 * Where scripts that `require` the module of a symbol write its name, or import it from a package of the workspace that is
 * built, and components. The server of scripts follows neither and reads no components, so that this is read from the text.
 */
export async function requiredPlaces(
  parts: CodeParts,
  path: string,
  name: string,
  asked: Scripts = scriptsOf(parts),
): Promise<Required> {
  if (!isScript(path)) return NONE
  const scripts = await asked()
  const { moduleOf, requirers, components, sourcesOf } = scripts
  const lost = new Set(scripts.lost(path))
  if (requirers.size === 0 && components.size === 0 && lost.size === 0) return NONE
  const [outer = '', ...inner] = name.split('.')
  const handed = await handedBy(parts, scripts, path, outer)
  if (handed.size === 0) return NONE
  const member = inner.at(-1)
  const anywhere = new Set([outer, ...[...handed.values()].flatMap(names => [...names])])
  const wanted = member === undefined ? [...anywhere] : [member]
  const found: RequiredPlace[] = []
  for (const file of new Set([...requirers.keys(), ...components.keys(), ...lost])) {
    if (file === path) continue
    const all = requirers.get(file) ?? []
    const modules = all.filter(each => handed.has(each))
    const component = components.get(file)
    const isMentioned = component !== undefined && wanted.some(each => component.includes(each))
    // Whatever has a member may have come from any of our modules.
    const isAsked = member === undefined || all.length > 0
    if (modules.length === 0 && !(isMentioned && isAsked) && !lost.has(file)) continue
    const read = await readCode(parts, file, text => wanted.some(each => UNNAMED.has(each) || text.includes(each)))
    if (!read) continue
    if (lost.has(file)) found.push(...(await lookAlikes(read, new Set(wanted))))
    if (modules.length === 0 && component === undefined) continue
    const names = new Set(modules.flatMap(each => [...(handed.get(each) ?? [])]))
    const meant = { handed, moduleOf, names, ...(member !== undefined && { member }) }
    found.push(...(await (component === undefined ? placesIn(read, meant) : componentPlaces(read, meant, anywhere))))
  }
  return { places: found, modules: new Set(handed.keys()), sourcesOf }
}

/** Every module that hands the symbol out, its own and those that hand it on. */
async function handedBy(
  parts: CodeParts,
  { moduleOf, importersOf }: LinkedScripts,
  path: string,
  name: string,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const handed = new Map<string, ReadonlySet<string>>()
  const own = await readCode(parts, path)
  const number = own?.code.symbols.findIndex(each => each.name === name && each.parent === -1) ?? -1
  const first = own && number >= 0 ? namesHanded(own, handed, moduleOf, number) : undefined
  if (!first || first.size === 0) return handed
  handed.set(path, first)
  const open = [path]
  for (let module = open.pop(); module !== undefined; module = open.pop()) {
    const names = [...(handed.get(module) ?? [])]
    for (const file of importersOf(module)) {
      if (file === path) continue
      const text = seenText(parts.root, parts.staging, file) ?? ''
      if (!/\bexports?\b/.test(text) || !(WHOLE.test(text) || names.some(each => text.includes(each)))) continue
      const read = await readCode(parts, file)
      const now = read ? namesHanded(read, handed, moduleOf) : undefined
      if (!now || now.size <= (handed.get(file)?.size ?? 0)) continue
      handed.set(file, now)
      open.push(file)
    }
  }
  return handed
}

/** What may hand on everything without naming it. */
const WHOLE = /\*|require|default/

/** What is handed out as a module or its default has any name elsewhere. */
const UNNAMED = new Set(['=', 'default'])

async function readCode(
  { root, staging }: CodeParts,
  path: string,
  isWanted: (text: string) => boolean = () => true,
): Promise<ReadFile | undefined> {
  const text = seenText(root, staging, path)
  const code = text === undefined || !isWanted(text) ? undefined : await parseModel(path, Buffer.from(text))
  return text !== undefined && code ? { path, text, code } : undefined
}
