import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Files of src/, from the repository's root. */
export interface Counted {
  readonly loaded: readonly string[]
  /** Those of which a function ran, besides the module's own top level. */
  readonly ran: readonly string[]
}

/** What V8 writes for one script. */
interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
  }[]
}

/** What one process loaded below a repository. */
export function countedIn(
  scripts: readonly ScriptCoverage[],
  root: string,
): { readonly files: Counted; has(file: string): boolean } {
  const ours = scripts.flatMap(({ url, functions }) => {
    if (!url.startsWith('file:')) return []
    const file = relative(root, fileURLToPath(url))
    return file.startsWith('..') ? [] : [{ file, ran: functions.some(isOwnFunction) }]
  })
  const sources = ours.filter(({ file }) => file.startsWith('src/'))
  const named = (some: typeof ours) => some.map(({ file }) => file).toSorted()
  return {
    files: { loaded: named(sources), ran: named(sources.filter(({ ran }) => ran)) },
    has: file => ours.some(each => each.file === file),
  }
}

/** A module itself is a function without a name that begins where its file does. */
const isOwnFunction = ({ functionName, ranges: [whole] }: ScriptCoverage['functions'][number]): boolean =>
  whole !== undefined && whole.count > 0 && !(functionName === '' && whole.startOffset === 0)
