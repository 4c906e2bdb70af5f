import { onceLoaded } from '../../kernel/once.ts'
import { globBelow } from './glob-below.ts'
import type { SearchParts } from './search-parts.ts'
import type { SearchEngine } from './types.ts'

/** Loaded with the first search. */
const loadFind = onceLoaded(() => import('./find-in-workspace.ts'))
const loadGrep = onceLoaded(() => import('./grep-in-workspace.ts'))

/** Creates the search engine for one call. */
export const openSearch = (parts: SearchParts): SearchEngine => ({
  async find(directory, glob, options) {
    const { findInWorkspace } = await loadFind()
    return findInWorkspace(parts, directory, globBelow(parts.root.path, directory, glob), options)
  },
  async grep(options) {
    const { grepInWorkspace } = await loadGrep()
    const { directory = '.', globs } = options
    const globsBelow = globs && { globs: globs.map(glob => globBelow(parts.root.path, directory, glob)) }
    return grepInWorkspace(parts, { ...options, ...globsBelow })
  },
})
