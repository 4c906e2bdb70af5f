import { unwrittenFiles, writtenFiles } from './candidates.ts'
import { joinPath } from './folder-paths.ts'
import { targetsOf } from './mapped-names.ts'
import type { PackageSettings } from './module-settings.ts'

/** Returns the files that a package of the workspace exports under a subpath: empty, or beginning with `/`. */
export function packageFiles(
  folder: string,
  settings: PackageSettings,
  below: string,
  forScript: boolean,
): readonly string[] {
  const targets = targetsOf(settings.exports, `.${below}`)
  if (targets?.length === 0) return []
  const files = (paths: readonly string[]) => paths.flatMap(each => targetFiles(folder, each, forScript))
  if (below === '') return files([...(targets ?? []), ...settings.main, 'src/index', 'index'])
  return files([...(targets ?? []), below, `src${below}`])
}

const BUILT = /^(?:dist|lib|build|out)\/(?:(?:esm|cjs|dts|types|es)\/)?/

/** Returns the files that a path in a package.json may mean: build output lies elsewhere than its source. */
export function targetFiles(folder: string, target: string, forScript: boolean): readonly string[] {
  const path = joinPath('', target)
  if (path === undefined || path === '') return []
  const stem = path.replace(/\.d\.[cm]?ts$|\.[cm]?[jt]sx?$/, '')
  const source = stem.replace(BUILT, 'src/')
  return [
    ...writtenFiles(folder + path, forScript),
    ...unwrittenFiles(folder + stem, forScript),
    ...(source === stem ? [] : unwrittenFiles(folder + source, forScript)),
  ]
}
