import type { BigIntStats, Stats } from 'node:fs'
import { ToolError } from '../../../kernel/error.ts'
import { show } from '../../workspace/path.ts'

const SET_ID = 0o6000

/**
 * Returns the permission bits that a file may land with. Throws for pipes, sockets, devices and set-id bits, which
 * never land.
 */
export function permissionsOfChange(path: string, stats: Stats | BigIntStats): number {
  const mode = Number(stats.mode)
  if (!stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink())
    throw refusal(path, `is ${kindOf(stats)}`, 'Have the command remove it, or make it in /tmp')
  if (stats.isFile() && (mode & SET_ID) !== 0)
    throw refusal(path, 'has a set-user-id or set-group-id bit', 'Have the command leave the bit off (chmod ug-s)')
  // A directory that its owner cannot enter could not be filled.
  return (mode & 0o777) | (stats.isDirectory() ? 0o700 : 0)
}

const refusal = (path: string, what: string, hint: string): ToolError =>
  new ToolError('denied', `The command left ${show(path)}, which ${what}; all its changes were discarded`, {
    hint,
    details: { path },
  })

const kindOf = (stats: Stats | BigIntStats): string => {
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return 'a device'
}
