import { readdir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { DocumentationFile } from './documentation-files.ts'

/** A package in the workspace. */
export interface InstalledPackage {
  /** Unique in the store, such as its directory. */
  readonly key: string
  readonly name: string
  readonly version: string
  /** Differs as soon as the package has to be indexed again. */
  readonly stamp: string
  /** The project itself depends on it. */
  readonly direct: boolean
  /** The name of its source. */
  readonly ecosystem: string
  /** Relative to the workspace: the one that its source reads. */
  readonly directory: string
}

/** Where the packages of a language are installed. */
export interface PackageSource {
  readonly name: string
  /** Files of a workspace that change with its packages. */
  readonly lockFiles: readonly string[]
  /** The folders of a workspace that hold packages, and those in them that group packages. */
  folders(root: string): Promise<readonly string[]>
  groups?(root: string, folder: string): Promise<readonly string[]>
  packages(root: string, folder: string): Promise<readonly InstalledPackage[]>
  /** The files that document the package in a directory. */
  files(root: string, directory: string): Promise<readonly DocumentationFile[]>
}

/** Reports whether a directory is really in the workspace; a link may lead out of it. */
export async function insideRoot(root: string, directory: string): Promise<boolean> {
  const [real, realRoot] = await Promise.all([realpath(join(root, directory)).catch(() => undefined), realpath(root)])
  if (real === undefined) return false
  const path = relative(realRoot, real)
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`)
}

/** The names in a directory; none if it cannot be read. */
export const entriesOf = async (directory: string): Promise<readonly string[]> =>
  (await readdir(directory).catch(() => [])).toSorted()
