import type { StoredDenial } from '../../../machine/state/denials.ts'
import type { ApprovalEntry } from '../../../runtime/approval-list.ts'
import type { Toolkit } from '../../../toolkit.ts'

/** Returns the remembered answers of the workspace and of the user. */
export const answersIn = ({ workspace: { approvals } }: Toolkit): readonly ApprovalEntry[] => [
  ...approvals.workspace.list(),
  ...approvals.user.list(),
]

/** Returns the stored deny rules of the workspace and of the user. */
export async function denialsIn({ workspace }: Toolkit): Promise<readonly StoredDenial[]> {
  if (!workspace.hasDenials()) return []
  const shelves = await workspace.denials()
  return [...shelves.workspace.list(), ...shelves.user.list()]
}
