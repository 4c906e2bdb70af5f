import { constants } from 'node:os'
import type { Exit } from './sandbox/types.ts'

/** Returns the exit code as a shell reports it: 128 plus the signal number if a signal ended the command. */
export function exitCodeOf({ code, signal }: Pick<Exit, 'code' | 'signal'>): number {
  if (code !== null) return code
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1]
  return 128 + (number ?? 0)
}
