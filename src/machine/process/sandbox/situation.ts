import { statSync } from 'node:fs'

/** Who we are to this tree, and as whom a command runs in it. */
export interface Situation {
  readonly name: 'root-on-root' | 'root-on-user' | 'user'
  /** The owner that the command's files get outside. */
  readonly uid: number
  readonly gid: number
  /** Whom the command believes to be; never 0. */
  readonly insideUid: number
  readonly insideGid: number
}

const ORDINARY = 1000

/** With root's rights dropped nothing of a root-owned tree could be written, so that there only a mapping hides them. */
export function situationOf(root: string): Situation {
  const own = process.getuid?.() ?? 0
  const ownGroup = process.getgid?.() ?? 0
  if (own !== 0)
    return { name: 'user', uid: own, gid: ownGroup, insideUid: own, insideGid: ownGroup === 0 ? ORDINARY : ownGroup }
  const { uid, gid } = statSync(root)
  if (uid === 0) return { name: 'root-on-root', uid: 0, gid: 0, insideUid: ORDINARY, insideGid: ORDINARY }
  const group = gid === 0 ? uid : gid
  return { name: 'root-on-user', uid, gid: group, insideUid: uid, insideGid: group }
}
