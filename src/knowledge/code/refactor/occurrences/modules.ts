import { posix } from 'node:path'
import { visibleText } from '../../visible-text.ts'
import { importersAround, indexedPaths } from '../importers-around.ts'
import { isLoadedByName } from './computed-imports.ts'
import { isPython, isScripted, type RefactorParts } from '../refactor-parts.ts'

const SCRIPT = /\bimport\s*\(|\brequire\s*\(|\*\s*as\s|\bimport\.meta\.glob|\b(?:import|require)(?:Actual|Mock)\b/
const SCRIPT_OWN = /\beval\s*\(|\bnew\s+Function\b|\b(?:exports|globalThis|window|self)\s*\[/
const PYTHON_OWN = /\b(?:globals|vars|eval|exec|locals)\s*\(|\bsys\.modules\b|\b__dict__\b/
const PYTHON = /\bimportlib\b|\b__import__\s*\(|\bsys\.modules\b|^[ \t]*import\s|\bimport\s*\*/m

/** Reports whether a module is used as a value, so that any of its names can be looked up in it. */
export async function isHeldWhole(parts: RefactorParts, path: string): Promise<boolean> {
  if (!isPython(path) && !isScripted(path)) return true
  if ((isPython(path) ? PYTHON_OWN : SCRIPT_OWN).test(parts.sources(path).text)) return true
  const stem = moduleStem(path).replaceAll(/\W/g, '.')
  const whole = isPython(path) ? new RegExp(`${PYTHON.source}|import\\s[^#\\n]*\\b${stem}\\b`, 'm') : SCRIPT
  const importers = await importersAround(parts, path, 'all')
  return (
    importers.some(each => parts.mayRead(each) && whole.test(parts.sources(each).text)) ||
    isLoadedByName(parts, path, ownModules(parts))
  )
}

/** The file name without its extension. */
export const moduleStem = (path: string): string => posix.basename(path).replace(/(?:\.d)?\.\w+$/, '')

/** The name of a module for others: the folder's name for an index file. */
export const moduleName = (path: string): string => {
  const stem = moduleStem(path)
  return stem === (isPython(path) ? '__init__' : 'index') ? posix.basename(posix.dirname(path)) : stem
}

/** Returns a test of whether a module may be one of the workspace; reads the files on first use. */
export function ownModules(parts: RefactorParts) {
  let names: Promise<ReadonlySet<string>> | undefined
  return async (path: string, module: string): Promise<boolean> => {
    if (/^[.#~/]|^@\//.test(module)) return true
    const [first = ''] = (isPython(path) ? /^[^.]*/ : /^(?:@[^/]*\/)?[^/]*/).exec(module) ?? []
    return (await (names ??= namesIn(parts))).has(first)
  }
}

/** Folders and modules of Python, and module names from packages and script settings. */
async function namesIn(parts: RefactorParts): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for await (const path of indexedPaths(parts)) {
    for (const part of path.split('/')) names.add(part.replace(/\.pyi?$/, ''))
    if (/(?:^|\/)(?:package|[jt]sconfig[^/]*)\.json$/.test(path))
      for (const [, key = '', quotedName = ''] of (visibleText(parts.root, parts.staging, path) ?? '').matchAll(NAMED))
        names.add(quotedName || key.replace(/\/?\*$/, ''))
  }
  return names
}

/** `"name": "pkg"` of a package, and `"alias/*": [` of a compiler's paths. */
const NAMED = /"([^"\n]+)"\s*:\s*(?:"([^"\n]*)"|\[)/g
