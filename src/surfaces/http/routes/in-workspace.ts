import { z } from 'zod'

/** The field of every route that names one of several workspaces. */
export const inWorkspace = {
  workspace: z.string().min(1).optional().describe('The name of the workspace, if several are served'),
}

/** An answer whose fields are not ours to state: those of a contract or of a record. */
export const anyObject = (about: string) => z.looseObject({}).describe(about)
