import { join } from 'node:path'
import { once } from '../../kernel/once.ts'
import { openDevdocs, type Devdocs } from './devdocs.ts'
import { createIndexer } from './indexer.ts'
import { openInstalled, type InstalledDocumentation } from './installed/open-installed.ts'
import { openAnswerCache } from './online/answer-cache.ts'
import type { OnlineParts } from './online/ask-source.ts'
import { openLimits } from './online/limits.ts'

/** What documentation search keeps between calls. */
export interface DocumentationHolder {
  installed(): InstalledDocumentation
  devdocs(): Devdocs
  online(): Pick<OnlineParts, 'answers' | 'limits' | 'now'>
  close(): Promise<void>
}

export interface HolderParts {
  /** The real path of the workspace. */
  readonly root: string
  /** The state directory of all workspaces, and that of this one. */
  readonly state: { readonly home: string; readonly path: string }
  readonly isDenied: (path: string) => boolean
  /** The time by which answers age and limits end; the system's by default. */
  readonly now?: () => number
}

export function openHolder({ root, state, isDenied, now = Date.now }: HolderParts): DocumentationHolder {
  const directory = join(state.path, 'documentation')
  const closing = new AbortController()
  const closers: (() => void)[] = []
  const keepOpen = <T>(made: T, close: () => void): T => {
    closers.push(close)
    return made
  }
  const indexer = createIndexer()
  const installedDocs = once(() => {
    const documentation = openInstalled({ root, directory, indexer, isDenied })
    return keepOpen(documentation, documentation.close)
  })
  const devdocs = once(() => {
    const docs = openDevdocs({ root, directory, indexer, closed: closing.signal })
    return keepOpen(docs, docs.close)
  })
  const online = once(() => {
    const answers = openAnswerCache(directory, now)
    // A limit is the user's, whatever the workspace.
    return keepOpen({ answers, limits: openLimits(join(state.home, 'documentation'), now), now }, answers.close)
  })
  return {
    installed: installedDocs,
    devdocs,
    online,
    async close() {
      closing.abort()
      await indexer.close()
      for (const close of closers) close()
    },
  }
}
