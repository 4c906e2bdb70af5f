import { isBuiltin } from 'node:module'
import { isComponentFile, isScriptFile } from '../../../../languages/registry.ts'
import { isSettings } from '../../../../languages/javascript/modules/module-settings.ts'
import type { Root } from '../../../../machine/workspace/root.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { ConfigFile } from '../../../../languages/javascript/modules/module-finder.ts'
import { visibleText } from '../../visible-text.ts'

/** The requested modules of a script, as written. */
interface Requests {
  /** Requests that no server follows: by `require`, or in a component. */
  readonly required: readonly string[]
  readonly all: readonly string[]
  /** Imports by package name, whether a server follows them or not. */
  readonly named: readonly string[]
}

interface ScriptRequests {
  readonly requests: ReadonlyMap<string, Requests>
  /** Configuration that names modules. */
  readonly configs: readonly ConfigFile[]
}

interface Known {
  readonly stamp: string
  readonly found: Requests | ConfigFile
}

/** An unchanged file is read once while its workspace is open. The servers that a call is given are its own. */
const requestCache = new WeakMap<Root, Map<string, Known>>()

const AT_ONCE = 20_000

/** The requests of every script in the workspace, as staged. */
export async function scriptRequests(parts: CodeParts): Promise<ScriptRequests> {
  const { root, index, staging } = parts
  const before = requestCache.get(root) ?? new Map<string, Known>()
  requestCache.set(root, before)
  const requests = new Map<string, Requests>()
  const configs: ConfigFile[] = []
  for (let skip = 0; ; skip += AT_ONCE) {
    const { files, total, current } = await index.query({ by: 'all' }, { limit: AT_ONCE, skip })
    // A clock that stands still tells no change.
    const isTimed = files.some(({ mtimeMs }) => mtimeMs !== files[0]?.mtimeMs)
    const isStable = current && isTimed && staging.isEmpty()
    for (const { path, size, mtimeMs } of files) {
      if (!isScriptFile(path) && !isComponentFile(path) && !isSettings(path)) continue
      const scriptFacts = cachedRequests(path, `${size} ${mtimeMs}`, isStable)
      if ('text' in scriptFacts) configs.push(scriptFacts)
      else requests.set(path, scriptFacts)
    }
    if (skip + AT_ONCE >= total) return { requests, configs }
  }

  function cachedRequests(path: string, stamp: string, isStable: boolean): Requests | ConfigFile {
    const same = isStable ? before.get(path) : undefined
    if (same?.stamp === stamp) return same.found
    const text = visibleText(root, staging, path) ?? ''
    const facts = isSettings(path) ? { path, text } : requestsIn(path, text)
    if (isStable) before.set(path, { stamp, found: facts })
    return facts
  }
}

const REQUIRED = /\brequire\s*\(\s*(['"`])([^'"`\n$]+)\1\s*\)/g
/** `import x = require()` is an import like others. */
const FOLLOWED = /\bimport\s+(?:type\s+)?[\w$]+\s*=\s*require\b/g
const FROM = /\bfrom\s*(['"])([^'"\n]+)\1/g

const LATER = /\bimport\s*\(\s*(['"`])([^'"`\n$]+)\1/g

function requestsIn(path: string, text: string): Requests {
  if (isComponentFile(path)) {
    const all = [REQUIRED, FROM, LATER].flatMap(pattern => specifiers(text, pattern))
    return { required: all, all, named: [] }
  }
  const isRequiring = text.includes('require')
  const requiredNames = isRequiring ? specifiers(text.replaceAll(FOLLOWED, ''), REQUIRED) : []
  const requireCalls = isRequiring ? specifiers(text, REQUIRED) : []
  const from = specifiers(text, FROM)
  const packageNames = [...from, ...specifiers(text, LATER)].filter(each => !each.startsWith('.') && !isBuiltin(each))
  return { required: requiredNames, all: [...new Set([...requireCalls, ...from])], named: packageNames }
}

const specifiers = (text: string, pattern: RegExp): readonly string[] => [
  ...new Set(Array.from(text.matchAll(pattern), ([, , specifier = '']) => specifier)),
]
