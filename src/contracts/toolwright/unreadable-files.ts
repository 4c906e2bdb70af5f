import { z } from '../tool.ts'

interface Unreadable {
  readonly count: number
  readonly files: readonly { readonly path: string; readonly why: string }[]
}

/** Fields for files that this user may not read: counts all, names the first. */
export const unreadableOutput = (what: string) => ({
  filesUnreadable: z.int().optional().describe(`${what} that this user may not read`),
  unreadable: z
    .array(z.strictObject({ path: z.string(), why: z.string() }))
    .optional()
    .describe('The first of them'),
})

export const unreadableOf = (unreadable: Unreadable | undefined) =>
  unreadable && {
    filesUnreadable: unreadable.count,
    unreadable: unreadable.files.map(({ path, why }) => ({ path, why })),
  }
