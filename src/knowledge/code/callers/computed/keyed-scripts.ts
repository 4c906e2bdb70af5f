import { isScriptFile } from '../../../../languages/registry.ts'
import { once } from '../../../../kernel/once.ts'
import type { ComputedKey } from '../../../../languages/javascript/usage/script-members.ts'
import type { Root } from '../../../../machine/workspace/root.ts'
import type { CodeParts } from '../../code-parts.ts'
import { visibleText } from '../../visible-text.ts'
import { isLike } from '../files-of-language.ts'
import { importsIn, type Import } from '../../../../languages/javascript/imports-in.ts'
import { membersIn } from './member-owner.ts'
import { linksOf, type ScriptLinks } from './modules-around.ts'

/** A script, and what its text tells about computed keys. */
export interface KeyedScript {
  readonly path: string
  readonly imports: readonly Import[]
  /** It may hold computed keys at all. */
  readonly isKeyed: boolean
  /** It may hold one with a fixed part. */
  readonly isFixed: boolean
  /** It may hold a whole module as an object. */
  readonly hasModules: boolean
  /** It may give a whole module a name. */
  readonly namesModules: boolean
  keys(): Promise<readonly ComputedKey[]>
  text(): string
}

/** What is kept of an unchanged file. */
interface Facts extends Pick<KeyedScript, 'imports' | 'isKeyed' | 'isFixed' | 'hasModules' | 'namesModules'> {
  readonly stamp: string
  keys: Promise<readonly ComputedKey[]> | undefined
}

interface Known {
  readonly files: Map<string, Facts>
  last: { readonly all: readonly Facts[]; readonly links: ScriptLinks }
}

/** An unchanged file is read once while its workspace is open. */
const scriptCache = new WeakMap<Root, Known>()
/** Files of a larger workspace beyond these are read for each question. */
const MOST_KNOWN = 20_000
const AT_ONCE = 20_000

const WRITTEN =
  /[\w$)\]}!>]\s*(?:\?\.)?\[\s*(?!['"\d\]])|\bReflect\.|\bObject\.(?:keys|entries|values|getOwn|hasOwn)|\bhasOwnProperty\b|\bin\b|\bkeyof\b|\{[^{}]*\[[^\]]*\]\s*:/

/** Files without such a text have no key with a fixed part. */
const FIXED = /\[(?:\s*`[^`]*\$\{|[^\]\n]*\+)|\bReflect\.\w+\s*\(|\bhasOwn|(?:`|\+[^;\n]*)\s+in\s/

const HAS_MODULES = /\bimport\s*\*\s*as\b|\brequire\s*\(|\bimport\s*\(|\bglobalThis\b|\bwindow\b|\bexports\b/

const NAMES_MODULES = /\*\s*as\b|\brequire\s*\(|\bimport\s*\(|\bexports\b/

/** Scripts, and how they import each other. */
export interface KeyedScripts {
  readonly scripts: readonly KeyedScript[]
  readonly links: ScriptLinks
}

/** The scripts of the workspace as staged, without those that may not be read. */
export async function keyedScripts(parts: CodeParts, like: string): Promise<KeyedScripts> {
  const { root, staging, index, mayRead } = parts
  const before = isScriptFile(like) ? (scriptCache.get(root) ?? nothing()) : nothing()
  const { files: cachedFacts } = before
  if (isScriptFile(like)) scriptCache.set(root, before)
  const entries: { readonly script: KeyedScript; readonly facts: Facts }[] = []
  const visitedPaths = new Set<string>()
  for (let skip = 0; ; skip += AT_ONCE) {
    const { files, total, current } = await index.query({ by: 'all' }, { limit: AT_ONCE, skip })
    // A clock that stands still tells no change.
    const isTimed = files.some(({ mtimeMs }) => mtimeMs !== files[0]?.mtimeMs)
    const isStable = current && isTimed && staging.isEmpty()
    for (const { path, size, mtimeMs } of files) {
      if (!(cachedFacts.has(path) || isLike(path, like)) || !mayRead(path)) continue
      visitedPaths.add(path)
      const one = scriptAt(path, `${size} ${mtimeMs}`, isStable)
      if (one) entries.push(one)
    }
    if (skip + AT_ONCE >= total) break
  }
  for (const path of cachedFacts.keys()) if (!visitedPaths.has(path)) cachedFacts.delete(path)
  const all = entries.map(({ facts }) => facts)
  const scripts = entries.map(({ script }) => script)
  const { last } = before
  const isSame = last.all.length === all.length && all.every((facts, at) => facts === last.all[at])
  if (!isSame) before.last = { all, links: linksOf(scripts) }
  return { scripts, links: before.last.links }

  function scriptAt(path: string, stamp: string, isStable: boolean) {
    const text = once(() => visibleText(root, staging, path))
    const same = isStable ? cachedFacts.get(path) : undefined
    if (same?.stamp === stamp) return { facts: same, script: scriptOf(path, same, () => text() ?? '') }
    const content = text()
    if (content === undefined) return undefined
    const facts = { stamp, ...factsIn(path, content), keys: undefined }
    if (isStable && (cachedFacts.size < MOST_KNOWN || cachedFacts.has(path))) cachedFacts.set(path, facts)
    return { facts, script: scriptOf(path, facts, () => content) }
  }
}

const nothing = (): Known => ({ files: new Map(), last: { all: [], links: linksOf([]) } })

/** Scripts that are read already. */
export function readScripts(texts: ReadonlyMap<string, string>): KeyedScripts {
  const scripts = Array.from(texts, ([path, text]) =>
    scriptOf(path, { stamp: '', ...factsIn(path, text), keys: undefined }, () => text),
  )
  return { scripts, links: linksOf(scripts) }
}

function scriptOf(path: string, facts: Facts, text: () => string): KeyedScript {
  const { imports, isKeyed, isFixed, hasModules, namesModules } = facts
  const keys = () =>
    (facts.keys ??= membersIn(path, text())
      .then(members => members.keys)
      .catch((error: unknown) => {
        // The parser may have been ended; the next question asks it again.
        facts.keys = undefined
        throw error
      }))
  return { path, imports, isKeyed, isFixed, hasModules, namesModules, keys, text }
}

const factsIn = (path: string, text: string): Omit<Facts, 'stamp' | 'keys'> => ({
  imports: importsIn(path, text),
  isKeyed: WRITTEN.test(text),
  isFixed: FIXED.test(text),
  hasModules: HAS_MODULES.test(text),
  namesModules: NAMES_MODULES.test(text),
})
