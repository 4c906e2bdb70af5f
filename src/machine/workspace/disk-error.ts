import { ToolError } from '../../kernel/error.ts'
import { show } from './path.ts'

/** Returns the name of a system error such as `ENOENT`, or undefined for any other error. */
export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Turns a system error into ours; any other error is a defect and stays unchanged. */
export function diskError(error: unknown, path: string): unknown {
  const errno = errnoOf(error)
  if (error instanceof ToolError || errno === undefined) return error
  const wording = WORDS[errno]
  if (wording === undefined)
    return new ToolError('io', `${show(path)}: the system answered ${errno}`, {
      cause: error,
      hint: 'Look at the place and its disk; the same call may succeed once that is fixed.',
      details: { errno },
    })
  return new ToolError(wording.code, `${show(path)} ${wording.says}`, {
    cause: error,
    hint: wording.hint,
    details: { errno },
  })
}

const AGAIN = 'Another program works on the same path; try again.'
/** It may not exist: without access to a directory its contents are unknown. */
const PERMISSIONS = 'Check the permissions and the owner of its directory, and its own if it exists.'
const WORDS: Readonly<Record<string, { code: ToolError['code']; says: string; hint: string }>> = {
  ENOENT: { code: 'not_found', says: 'does not exist', hint: 'List the directory to see what is there.' },
  ENOTDIR: { code: 'not_a_directory', says: 'is not a directory', hint: 'List the directory above it.' },
  EISDIR: { code: 'not_a_file', says: 'is a directory', hint: 'Name a file in it, or list it.' },
  ENXIO: { code: 'not_a_file', says: 'is not a regular file', hint: 'Only regular files are opened.' },
  ELOOP: { code: 'conflict', says: 'became a link while it was being opened', hint: AGAIN },
  EEXIST: { code: 'exists', says: 'is already there', hint: 'Choose another name, or delete it first.' },
  ENAMETOOLONG: { code: 'invalid_input', says: 'is too long for this file system', hint: 'Use a shorter name.' },
  EACCES: { code: 'io', says: 'is not accessible to this user', hint: PERMISSIONS },
  EPERM: { code: 'io', says: 'may not be changed by this user', hint: PERMISSIONS },
  EROFS: { code: 'io', says: 'lies on a read-only file system', hint: 'Work in a place that can be written.' },
  ENOSPC: { code: 'io', says: 'does not fit on the disk', hint: 'Free some space.' },
  EMFILE: { code: 'io', says: 'cannot be opened: too many open files', hint: 'Close some, or raise the limit.' },
}
