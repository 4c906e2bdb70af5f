import { join } from 'node:path'

/** Location of what a search is stored by: the folder of the index's segments. */
export interface StoredPlace {
  readonly directory: string
  /** Only a program with the same key reads it. */
  readonly key: () => string
}

/** The file beside the segments that says which of them has which file of the workspace. */
export const imageFile = ({ directory }: StoredPlace): string => join(directory, 'image')
