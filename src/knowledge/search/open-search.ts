import { globBelow } from './glob-below.ts'
import type { SearchParts } from './search-parts.ts'
import type { SearchEngine } from './types.ts'

/** Creates the search engine for one call. Loads the searching code with the first search. */
export const openSearch = (parts: SearchParts): SearchEngine => ({
  async find(directory, glob, options) {
    const { findInWorkspace } = await import('./find-in-workspace.ts')
    return findInWorkspace(parts, directory, globBelow(parts.root.path, directory, glob), options)
  },
  async grep(options) {
    const { grepInWorkspace } = await import('./grep-in-workspace.ts')
    const { directory = '.', globs } = options
    const own = globs && { globs: globs.map(glob => globBelow(parts.root.path, directory, glob)) }
    return grepInWorkspace(parts, { ...options, ...own })
  },
})
