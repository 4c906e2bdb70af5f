import type { CodeParts } from '../../code-parts.ts'
import { seenText } from '../../seen-text.ts'
import { codeOf } from '../../symbols/code-of.ts'
import { namesHanded } from './handed-names.ts'
import { scriptsOf, type LinkedScripts, type Scripts } from './linked-scripts.ts'
import { placesIn, type ReadFile, type RequiredPlace } from './places-in.ts'
import { isScript } from './script-requests.ts'

export interface Required {
  readonly places: readonly RequiredPlace[]
  /** Those that hand the symbol out. */
  readonly modules: ReadonlySet<string>
}

const NONE: Required = { places: [], modules: new Set() }

/**
 * Where scripts that `require` the module of a symbol write its name. The server of scripts does not follow `require`,
 * so that this is read from the text.
 */
export async function requiredPlaces(
  parts: CodeParts,
  path: string,
  name: string,
  asked: Scripts = scriptsOf(parts),
): Promise<Required> {
  if (!isScript(path)) return NONE
  const scripts = await asked()
  if (scripts.requirers.size === 0) return NONE
  const { moduleOf } = scripts
  const [outer = '', ...inner] = name.split('.')
  const handed = await handedBy(parts, scripts, path, outer)
  const found: RequiredPlace[] = []
  for (const [file, required] of scripts.requirers) {
    const modules = required.filter(each => handed.has(each))
    const read = modules.length > 0 && file !== path ? await readCode(parts, file) : undefined
    if (!read) continue
    const names = new Set(modules.flatMap(each => [...(handed.get(each) ?? [])]))
    const member = inner.at(-1)
    found.push(...placesIn(read, { handed, moduleOf, names, ...(member !== undefined && { member }) }))
  }
  return { places: found, modules: new Set(handed.keys()) }
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

async function readCode({ root, staging }: CodeParts, path: string): Promise<ReadFile | undefined> {
  const text = seenText(root, staging, path)
  const code = text === undefined ? undefined : await codeOf(path, Buffer.from(text))
  return text !== undefined && code ? { path, text, code } : undefined
}
