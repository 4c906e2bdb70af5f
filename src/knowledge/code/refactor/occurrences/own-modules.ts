import type { CodeParts } from '../../code-parts.ts'
import { languageOf } from '../../../model/languages.ts'
import { seenText } from '../../seen-text.ts'

const AT_ONCE = 500

/** Says of the name of a module whether it may be one of the workspace; looks at the files when it is first asked. */
export function ownModules(parts: CodeParts) {
  let names: Promise<ReadonlySet<string>> | undefined
  return async (path: string, module: string): Promise<boolean> => {
    if (/^[.#~/]|^@\//.test(module)) return true
    const isPython = languageOf(path) === 'python'
    const first = isPython
      ? module.split('.')[0]
      : module
          .split('/')
          .slice(0, module.startsWith('@') ? 2 : 1)
          .join('/')
    names ??= namesIn(parts)
    return (await names).has(first ?? '')
  }
}

/** Folders and modules of Python, and the names that packages and settings of scripts give to modules. */
async function namesIn({ index, root, staging }: CodeParts): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for (let skip = 0; ; skip += AT_ONCE) {
    const { files, total } = await index.query({ by: 'all' }, { limit: AT_ONCE, skip })
    for (const { path } of files) {
      for (const part of path.split('/')) names.add(part.replace(/\.pyi?$/, ''))
      if (/(?:^|\/)(?:package|[jt]sconfig[^/]*)\.json$/.test(path))
        for (const [, key = '', named = ''] of (seenText(root, staging, path) ?? '').matchAll(NAMED))
          names.add(named || key.replace(/\/?\*$/, ''))
    }
    if (skip + AT_ONCE >= total) return names
  }
}

/** `"name": "pkg"` of a package, and `"alias/*": [` of the paths of a compiler. */
const NAMED = /"([^"\n]+)"\s*:\s*(?:"([^"\n]*)"|\[)/g
