import { closeSync, constants, openSync, readlinkSync, readdirSync, type Dirent } from 'node:fs'
import { errnoOf } from '../../machine/workspace/disk-error.ts'
import { diskPath } from './disk-path.ts'

/** O_PATH, which Node does not name: a descriptor for a place, without opening it. */
const O_PATH = 0x200000
const FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW

type Held = { readonly fd: number } | 'gone' | 'unreadable'

/** Holds a directory below a held root, only if the kernel confirms its path: no link was followed. */
export function holdFolder(root: number, rootPath: string, bytes: string): Held {
  let fd: number
  try {
    fd = openSync(diskPath(`/proc/self/fd/${root}/${bytes === '' ? '.' : bytes.slice(0, -1)}`), FLAGS)
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === 'ENOENT' || errno === 'ENOTDIR' || errno === 'ELOOP') return 'gone'
    if (isRefused(error)) return 'unreadable'
    throw error
  }
  const confirmation = bytes === '' || confirmPath(fd, `${rootPath === '/' ? '' : rootPath}/${bytes.slice(0, -1)}`)
  if (confirmation === true) return { fd }
  closeSync(fd)
  return confirmation === false ? 'gone' : confirmation
}

/** The kernel tells no path that is longer than a path may be; such a directory counts as one that cannot be read. */
function confirmPath(fd: number, path: string): boolean | 'unreadable' {
  try {
    return whereIs(fd) === path
  } catch (error) {
    if (isRefused(error)) return 'unreadable'
    throw error
  }
}

/** Returns the current path of a held directory, as bytes. */
export const whereIs = (fd: number): string => readlinkSync(`/proc/self/fd/${fd}`, { encoding: 'latin1' })

/** Returns names as bytes with their kinds, or undefined if unreadable. Throws if the system lacks resources. */
export function listFolder(fd: number): Dirent[] | undefined {
  try {
    return readdirSync(`/proc/self/fd/${fd}`, { withFileTypes: true, encoding: 'latin1' })
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || isRefused(error)) return undefined
    throw error
  }
}

/** Reports a permanent refusal, unlike a lack of descriptors or memory. */
const isRefused = (error: unknown): boolean => {
  const errno = errnoOf(error)
  return errno === 'EACCES' || errno === 'EPERM' || errno === 'ENAMETOOLONG' || errno === 'ENODEV'
}
