import { folderOf, joined } from './joined.ts'

/** Whatever may be left out or written otherwise where a file is named. */
const LEFT_OUT = /(?:\.d|\.[cm]?[jt]sx?|\.vue|\.svelte|(?:^|\/)index)+$/

/** One name for all files that the same specifier may mean. */
export const moduleKey = (path: string): string => path.replace(LEFT_OUT, '')

/** The key of what a relative specifier means; undefined if it leads out of the workspace. */
export function relativeKey(from: string, specifier: string): string | undefined {
  const path = joined(folderOf(from), specifier)
  return path === undefined ? undefined : moduleKey(path)
}
