import { statSync } from 'node:fs'

/** Our relation to this tree, and the user as whom a command runs in it. */
export interface Situation {
  readonly name: 'root-on-root' | 'root-on-user' | 'user'
  /** Outside owner of the command's files. */
  readonly uid: number
  readonly gid: number
  /** Uid that the command sees; never 0. */
  readonly insideUid: number
  readonly insideGid: number
}

const ORDINARY = 1000

/** Without root's rights nothing in a root-owned tree is writable, so there only a mapping hides them. */
export function situationOf(root: string): Situation {
  const ownUid = process.getuid?.() ?? 0
  const ownGroup = process.getgid?.() ?? 0
  if (ownUid !== 0)
    return {
      name: 'user',
      uid: ownUid,
      gid: ownGroup,
      insideUid: ownUid,
      insideGid: ownGroup === 0 ? ORDINARY : ownGroup,
    }
  const { uid, gid } = statSync(root)
  if (uid === 0) return { name: 'root-on-root', uid: 0, gid: 0, insideUid: ORDINARY, insideGid: ORDINARY }
  const group = gid === 0 ? uid : gid
  return { name: 'root-on-user', uid, gid: group, insideUid: uid, insideGid: group }
}
