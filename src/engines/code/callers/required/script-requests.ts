import { languageOf } from '../../../index/facts/languages.ts'
import type { CodeParts } from '../../code-parts.ts'
import { seenText } from '../../seen-text.ts'
import type { Servers } from '../../servers/types.ts'

/** The modules that a script asks for, as they are written. */
export interface Requests {
  /** Those that it asks for in a way that no server follows: by `require`, or in a component. */
  readonly required: readonly string[]
  readonly all: readonly string[]
}

interface Known extends Requests {
  readonly stamp: string
}

/** A file that stays as it is is read once for as long as its servers live. */
const known = new WeakMap<Servers, Map<string, Known>>()

const AT_ONCE = 20_000

/** What every script of the workspace asks for, as staged. */
export async function scriptRequests(parts: CodeParts): Promise<ReadonlyMap<string, Requests>> {
  const { index, servers, staging } = parts
  const before = known.get(servers) ?? new Map<string, Known>()
  known.set(servers, before)
  const found = new Map<string, Requests>()
  for (let skip = 0; ; skip += AT_ONCE) {
    const { files, total } = await index.query({ by: 'all' }, { limit: AT_ONCE, skip })
    for (const { path, size, mtimeMs } of files) {
      if (!isScript(path) && !isComponent(path)) continue
      const stamp = `${size} ${mtimeMs}`
      const same = staging.isEmpty() ? before.get(path) : undefined
      if (same?.stamp === stamp) {
        found.set(path, same)
        continue
      }
      const requests = requestsIn(path, seenText(parts.root, staging, path) ?? '')
      if (staging.isEmpty()) before.set(path, { ...requests, stamp })
      found.set(path, requests)
    }
    if (skip + AT_ONCE >= total) return found
  }
}

/** Its scripts are read by no server. */
export const isComponent = (path: string): boolean => languageOf(path) === 'vue'

export const isScript = (path: string): boolean => /^(type|java)script$/.test(languageOf(path) ?? '')

const REQUIRED = /\brequire\s*\(\s*(['"`])([^'"`\n$]+)\1\s*\)/g
/** `import x = require()` is an import like others. */
const FOLLOWED = /\bimport\s+(?:type\s+)?[\w$]+\s*=\s*require\b/g
const FROM = /\bfrom\s*(['"])([^'"\n]+)\1/g

const LATER = /\bimport\s*\(\s*(['"`])([^'"`\n$]+)\1/g

function requestsIn(path: string, text: string): Requests {
  if (isComponent(path)) {
    const all = [REQUIRED, FROM, LATER].flatMap(pattern => specifiers(text, pattern))
    return { required: all, all }
  }
  const isRequiring = text.includes('require')
  const required = isRequiring ? specifiers(text.replaceAll(FOLLOWED, ''), REQUIRED) : []
  const followed = isRequiring ? specifiers(text, REQUIRED) : []
  return { required, all: [...new Set([...followed, ...specifiers(text, FROM)])] }
}

const specifiers = (text: string, pattern: RegExp): readonly string[] => [
  ...new Set(Array.from(text.matchAll(pattern), ([, , specifier = '']) => specifier)),
]
