import { isScript } from './candidates.ts'
import { folderOf } from './folder-paths.ts'
import { modulePlaces } from './module-places.ts'
import { moduleSettings } from './module-settings.ts'
import { settingsIn } from './settings-source.ts'

/** A configuration file of the tree, for names that packages and compilers give to folders. */
export interface ConfigFile {
  readonly path: string
  readonly text: string
}

/** Resolves an import of a script to a file of the tree; undefined if it is none of them. */
export function moduleFinder(
  has: (path: string) => boolean,
  configs: readonly ConfigFile[],
): (from: string, specifier: string) => string | undefined {
  const fileByKey = new Map<string, string | undefined>()
  const settings = configs.flatMap(({ path, text }) => {
    const parsedSettings = moduleSettings(path, text)
    return parsedSettings ? [[path, parsedSettings] as const] : []
  })
  const places = modulePlaces(settingsIn(new Map(settings)))
  return (from, specifier) => {
    const key = `${folderOf(from)}\0${isScript(from)}\0${specifier}`
    if (!fileByKey.has(key)) fileByKey.set(key, firstExisting(places(from, specifier).files))
    return fileByKey.get(key)
  }

  function firstExisting(files: Iterable<string>): string | undefined {
    for (const file of files) if (has(file)) return file
    return undefined
  }
}
