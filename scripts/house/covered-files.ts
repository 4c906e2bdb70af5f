import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Files of src/, from the repository's root. */
export interface Counted {
  readonly loaded: readonly string[]
  /** Files in which a function ran, besides the top level of the module. */
  readonly ran: readonly string[]
}

/** V8's coverage of one script. */
interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
  }[]
}

/** Returns the files of a repository that one process loaded. */
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

/** The module itself is an unnamed function that starts at offset 0. */
const isOwnFunction = ({ functionName, ranges: [whole] }: ScriptCoverage['functions'][number]): boolean =>
  whole !== undefined && whole.count > 0 && !(functionName === '' && whole.startOffset === 0)
