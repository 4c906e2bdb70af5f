import { folderOf, joinPath } from './folder-paths.ts'

/** Parts of a file name that a specifier may omit or change. */
const LEFT_OUT = /(?:\.d|\.[cm]?[jt]sx?|\.vue|\.svelte|(?:^|\/)index)+$/

/** Returns one key for all files that the same specifier may mean. */
export const moduleKey = (path: string): string => path.replace(LEFT_OUT, '')

/** Returns the key of a relative specifier, or undefined if it leads out of the workspace. */
export function relativeKey(from: string, specifier: string): string | undefined {
  const path = joinPath(folderOf(from), specifier)
  return path === undefined ? undefined : moduleKey(path)
}
