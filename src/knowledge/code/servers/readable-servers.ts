import { ToolError } from '../../../kernel/error.ts'
import type { HiddenPaths } from '../../../kernel/hidden-paths.ts'
import { show } from '../../../machine/workspace/path.ts'
import type { Root } from '../../../machine/workspace/root.ts'
import { hiddenTest } from './hidden-files.ts'
import type { Servers } from './types.ts'
import { whileHidden } from './while-hidden.ts'

interface ReadingRules {
  readonly root: Root
  /** Paths that the caller may not read. Without it, every path may be read. */
  readonly unreadable?: HiddenPaths | undefined
}

/** Servers that see nothing that the caller may not read, neither on disk nor staged. */
export function readableServers(servers: Servers, { root, unreadable }: ReadingRules): Servers {
  if (!unreadable) return servers
  return {
    ...servers,
    ask: (path, staged, deadline, work) =>
      whileHidden(root, unreadable, async hidden => {
        if (unreadable.matches(path) || hiddenTest(hidden)(path)) throw unseen(path)
        const texts = new Map([...staged.texts].filter(([file]) => !unreadable.matches(file)))
        return servers.ask(path, { ...staged, texts, hidden }, deadline, work)
      }),
  }
}

const unseen = (path: string): ToolError =>
  new ToolError('unavailable', `${show(path)} may not be read, so no language server sees it`)
