import { constants } from 'node:os'
import { ToolError } from '../../kernel/error.ts'
import { show } from '../workspace/path.ts'
import { formatLimit } from './format-limit.ts'
import type { LayerChange } from './overlay/layer-change.ts'
import type { Ran } from './types.ts'

/** Message for a command that wrote a file above the size limit. */
export const pastFileLimit = (fileBytes: number): string => `wrote a file of more than ${formatLimit(fileBytes)}`

const BLOCK = 512

/**
 * Size at which the kernel stops a file: one block above the limit. A file of exactly the limit thus differs from a
 * stopped one.
 */
export const stoppedAt = (fileBytes: number): number => fileBytes + BLOCK

const ENDED_BY_SIGNAL = 128 + constants.signals.SIGXFSZ

const WORDS = 'File size limit exceeded'

/** Bash's report of a child ended by the signal: shell, line, process and command as bash prints it. */
const SHELL_REPORT = /^(?:\S+: line \d+:)? +\d+ +File size limit exceeded(?: *\(core dumped\))? *\|?(.+)$/gm

/**
 * Reports whether the file size signal ended any command of the line. Any program can print these words, so a report
 * counts only if it names a command of the line itself. Output of a script inside the line does not count; its exit
 * code and its files do.
 */
export function wasEndedByFileLimit({ exitCode, stderr }: Pick<Ran, 'exitCode' | 'stderr'>, line: string): boolean {
  if (exitCode === ENDED_BY_SIGNAL) return true
  const commands = withoutSpace(line)
  // A line that contains the words may have printed them.
  if (commands.includes(withoutSpace(WORDS))) return false
  return [...stderr.matchAll(SHELL_REPORT)]
    .map(([, command = '']) => withoutSpace(command))
    .some(command => command !== '' && commands.includes(command))
}

/** Bash prints a command with its own spacing. */
const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '')

/**
 * Refuses the result of a command if one of its files is too large. A program may ignore the signal, and later commands
 * run in either case.
 */
export function refuseFilesAbove(fileBytes: number, changes: readonly LayerChange[]): void {
  const above = changes.find(one => one.type === 'file' && one.size > fileBytes)
  if (above)
    throw new ToolError('quota', `The command ${pastFileLimit(fileBytes)}: ${show(above.path)}`, {
      hint: 'Its output is in the details; its changes were discarded',
      details: { limit: 'file', path: above.path },
    })
}
