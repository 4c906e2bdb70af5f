import type { Change } from '../kernel/change.ts'
import { ToolError } from '../kernel/error.ts'
import { formatLimit } from '../machine/process/format-limit.ts'
import type { CommandLimits } from '../machine/process/types.ts'

/** Limits of a command that hold for the tools of a contract, too. */
type WriteLimits = Pick<CommandLimits, 'fileBytes' | 'writtenBytes' | 'outputBytes'>

/** Throws if changes of a call write too large a file, or too much. */
export function ensureWritable({ fileBytes, writtenBytes }: WriteLimits, changes: readonly Change[]): void {
  const contentChanges = changes.filter(({ before, after }) => after !== undefined && after !== before)
  const large = contentChanges.find(({ bytes = 0 }) => bytes > fileBytes)
  if (large)
    throw quotaError(
      `${JSON.stringify(large.path)} would have ${large.bytes} bytes`,
      'fileBytes',
      fileBytes,
      large.path,
    )
  const total = contentChanges.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
  if (total > writtenBytes) throw quotaError(`The call would write ${total} bytes`, 'writtenBytes', writtenBytes)
}

/** Throws if a diff is too long to be returned. */
export function ensureShowable({ outputBytes }: WriteLimits, diff: string): void {
  const bytes = Buffer.byteLength(diff)
  if (bytes > outputBytes) throw quotaError(`The diff has ${bytes} bytes`, 'outputBytes', outputBytes)
}

const quotaError = (what: string, limit: keyof WriteLimits, most: number, path?: string): ToolError =>
  new ToolError('quota', `${what}, more than ${formatLimit(most)}`, {
    hint: `Nothing was changed. Write less at once, or raise ${limit} in the quotas of the call or in limits.commands`,
    details: { limit, ...(path !== undefined && { path }) },
  })
