import { ToolError } from '../../kernel/error.ts'
import { show } from './path.ts'

/** A file that the caller may not read, with the permission that opens it if no rule denies it. */
export const readRefused = (path: string): ToolError =>
  new ToolError('denied', `${show(path)} may not be read`, {
    hint: `Unless a rule denies it, grant the permission fs:read:${path} (--allow 'fs:read:${path}' on the command line)`,
  })
