import type * as GitPlaces from '../machine/workspace/other-names/git-places.ts'
import {
  createOtherNames,
  type NameParts,
  type OtherNames,
} from '../machine/workspace/other-names/create-other-names.ts'
import type { Root } from '../machine/workspace/root.ts'

let gitPlacesModule: typeof GitPlaces | undefined

/** Loads the reader of git's settings, which no call that only reads needs. */
export const loadGitPlaces = async (): Promise<void> => {
  gitPlacesModule ??= await import('../machine/workspace/other-names/git-places.ts')
}

/** Returns what is known of links and settings that lead to a place. Settings are known once their reader is loaded. */
export function openPlaces(
  root: Root,
  env: Readonly<Record<string, string | undefined>>,
  names: Pick<NameParts, 'matters' | 'isProtected' | 'guarded'>,
): OtherNames {
  let settings: ReturnType<typeof GitPlaces.createGitPlaces> | undefined
  const gitPlaces: NameParts['gitPlaces'] = nested =>
    (settings ??= gitPlacesModule?.createGitPlaces(root.path, env))?.(nested) ?? []
  return createOtherNames({ root, gitPlaces, ...names })
}
