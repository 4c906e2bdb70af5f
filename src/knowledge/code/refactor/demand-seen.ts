import type { CodeParts } from '../code-parts.ts'
import { unseenBy, unseenStaged } from '../unseen-staged.ts'

/** Refuses to ask a server while a file is staged that it does not see. */
export function demandSeen(parts: Pick<CodeParts, 'root' | 'staging'>): void {
  const [path] = unseenStaged(parts)
  if (path !== undefined) throw unseenBy(path)
}
