import { ToolError } from '../../../kernel/error.ts'
import type { FileModel } from '../../model/file-model.ts'

const MOST_NAMES = 20

/** What is said of a name that a file does not define, as far as the file could be parsed. */
export function notDefined(
  asked: string,
  path: string,
  defined: readonly string[],
  { unread = [], isUnparsed }: Pick<FileModel, 'unread' | 'isUnparsed'> = {},
): ToolError {
  if (isUnparsed)
    return new ToolError('no_match', `No function '${asked}' is known in ${path}: the file could not be parsed`, {
      hint: 'Look for it with grep',
    })
  const lost = unread.filter(({ declares }) => declares.includes(asked.slice(asked.lastIndexOf('.') + 1)))
  const names = [...new Set(defined)]
  const known = names.length > 0 ? `It defines ${names.slice(0, MOST_NAMES).join(', ')}` : 'It defines nothing'
  return new ToolError('no_match', `${path} has no function '${asked}'`, {
    hint: [
      names.length > MOST_NAMES ? `${known} and ${names.length - MOST_NAMES} more` : known,
      ...lost.map(({ from, to }) => `lines ${from} to ${to}, where it is written, do not parse`),
    ].join('; '),
  })
}
