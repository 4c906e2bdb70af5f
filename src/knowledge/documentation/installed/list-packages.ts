import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MOST_FILES, type DocumentationFile, type SectionKind } from '../../../languages/documentation-files.ts'
import type { InstalledPackage } from '../../../languages/installed-packages.ts'
import { LANGUAGES } from '../../../languages/registry.ts'

const SOURCES = LANGUAGES.flatMap(({ packages }) => packages ?? [])

/** Returns a text that changes whenever packages are installed, updated or removed. */
export async function fingerprintOf(root: string): Promise<string> {
  const places = await Promise.all(
    SOURCES.map(async ({ folders, groups }) => {
      const found = await folders(root)
      return Promise.all(found.map(async place => [place, ...((await groups?.(root, place)) ?? [])]))
    }),
  )
  const hash = createHash('sha256')
  for (const path of [...SOURCES.flatMap(({ lockFiles }) => lockFiles), ...places.flat(2)]) {
    const stats = await stat(join(root, path)).catch(() => undefined)
    hash.update(`${path}\0${stats ? `${stats.mtimeMs} ${stats.isFile() ? stats.size : ''}` : ''}\0`)
  }
  return hash.digest('hex')
}

/** Returns the packages of every source, those of the project itself first. */
export async function listPackages(root: string): Promise<readonly InstalledPackage[]> {
  const lists = await Promise.all(
    SOURCES.map(async ({ folders, packages }) =>
      Promise.all((await folders(root)).map(folder => packages(root, folder))),
    ),
  )
  const all = lists.flat(2).toSorted((one, other) => Number(other.direct) - Number(one.direct))
  // The same version in several places says the same.
  const first = new Map(all.toReversed().map(each => [`${each.ecosystem} ${each.name} ${each.version}`, each]))
  return all.filter(each => first.get(`${each.ecosystem} ${each.name} ${each.version}`) === each)
}

/** Returns the files of a package that document it, the most telling first. */
export async function documentationFiles(root: string, of: InstalledPackage): Promise<readonly DocumentationFile[]> {
  const files = (await SOURCES.find(({ name }) => name === of.ecosystem)?.files(root, of.directory)) ?? []
  return files.toSorted((one, other) => orderOf(one) - orderOf(other)).slice(0, MOST_FILES)
}

const ORDER: Readonly<Record<SectionKind, number>> = { readme: 0, docs: 1, page: 1, comment: 2, changelog: 3 }
const orderOf = ({ kind, path }: DocumentationFile): number => ORDER[kind] * 100 + path.split('/').length
