import { isComponentFile } from '../../../languages/registry.ts'
import { modelKey } from '../model-of.ts'
import { isStoryPath } from '../../../languages/file-model/path-kind.ts'

/** Everything besides the content that the facts of a file depend on. A component is named after its file. */
export const factsKey = (path: string): string =>
  [
    modelKey(path),
    ...(isStoryPath(path) ? ['stories'] : []),
    ...(isComponentFile(path) ? [path.slice(path.lastIndexOf('/') + 1)] : []),
  ].join('.')
