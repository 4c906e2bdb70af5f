import { constants } from 'node:os'
import { ToolError } from '../../kernel/error.ts'
import { show } from '../workspace/path.ts'
import { formatLimit } from './format-limit.ts'
import type { LayerChange } from './overlay/layer-change.ts'
import type { Ran } from './types.ts'

/** What a command did that wrote past the size that one file may have. */
export const pastFileLimit = (fileBytes: number): string => `wrote a file of more than ${formatLimit(fileBytes)}`

const BLOCK = 512

/** Where the kernel stops a file: a block above the limit, so that one that is just as large as it may be is told from one that was stopped. */
export const stoppedAt = (fileBytes: number): number => fileBytes + BLOCK

const ENDED_BY_SIGNAL = 128 + constants.signals.SIGXFSZ

const WORDS = 'File size limit exceeded'

/** What bash says of a child that the signal ended: itself, the line, the process, and the command as it reads it. */
const SHELL_REPORT = /^(?:\S+: line \d+:)? +\d+ +File size limit exceeded(?: *\(core dumped\))? *\|?(.+)$/gm

/**
 * Reports whether the signal for too large a file ended a command of the line, the last one or one before it. Anybody can
 * print these words: a report counts where it names a command of the line itself. What a script inside the line wrote is
 * judged by its exit code and by the files that are left.
 */
export function wasEndedByFileLimit({ exitCode, stderr }: Pick<Ran, 'exitCode' | 'stderr'>, line: string): boolean {
  if (exitCode === ENDED_BY_SIGNAL) return true
  const commands = withoutSpace(line)
  // A line that holds the words may have printed them.
  if (commands.includes(withoutSpace(WORDS))) return false
  return [...stderr.matchAll(SHELL_REPORT)]
    .map(([, command = '']) => withoutSpace(command))
    .some(command => command !== '' && commands.includes(command))
}

/** Bash writes a command with spaces of its own. */
const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '')

/**
 * Refuses what a command left where one of its files is too large. A program may take no notice of the signal, and the
 * commands after it go on either way.
 */
export function refuseFilesAbove(fileBytes: number, made: readonly LayerChange[]): void {
  const above = made.find(one => one.type === 'file' && one.size > fileBytes)
  if (above)
    throw new ToolError('quota', `The command ${pastFileLimit(fileBytes)}: ${show(above.path)}`, {
      hint: 'What it printed is in the details; nothing that it changed is kept',
      details: { limit: 'file', path: above.path },
    })
}
