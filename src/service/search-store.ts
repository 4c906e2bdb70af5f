import { join } from 'node:path'
import type { StoredPlace } from '../knowledge/search/stored/stored-place.ts'
import { nameOfBuild, ownBuild } from './own-build.ts'

/** Where the process of a workspace stores its search, in the workspace's folder in the state directory. */
export const searchStore = (state: string): StoredPlace => ({
  directory: join(state, 'search'),
  key: () => nameOfBuild(ownBuild()),
})
