import { ToolError } from '../../../kernel/error.ts'
import type { Deadline } from './deadline.ts'

/** A server that is gone, and why; `hasDied` if it exited on its own. */
export const serverOver = (name: string, why: string, hasDied = false): ToolError =>
  new ToolError('unavailable', `The language server '${name}' ${why}`, {
    hint: 'Ask again: it is started anew. toolwright doctor lists the language servers',
    ...(hasDied && { details: { died: hasDied } }),
  })

/** Reports whether a question failed because its server exited on its own. */
export const hasDied = (error: unknown): boolean => error instanceof ToolError && error.details?.['died'] === true

/** A server's current work, and its progress if reported. */
interface Doing {
  readonly doing: string
  readonly progress?: string | undefined
}

/** A question that was not answered in time. */
export const serverLate = (
  name: string,
  { doing, progress }: Doing,
  { moreTime, purpose = 'this question' }: Pick<Deadline, 'moreTime' | 'purpose'>,
): ToolError =>
  new ToolError(
    'timeout',
    `The language server '${name}' ${doing}${progress === undefined ? '' : ` (${progress})`} when the time for ${purpose} was over`,
    {
      hint: `${moreTime === undefined ? 'Ask' : `Give it more time with ${moreTime}, or ask`} again: in a workspace process (toolwright up) the work continues`,
    },
  )

const ABSENT = { absent: true }

/** Reports whether no server exists for the file, and none of those installed with us is missing. */
export const isAbsent = ({ details }: ToolError): boolean => details?.['absent'] === true

/** `comesAlong`: an optional package that is normally installed with us, so its results are missed. */
export const notInstalled = (name: string, extension: string, install: string, comesAlong: boolean): ToolError =>
  new ToolError('unavailable', `The language server '${name}' for .${extension} files is not installed`, {
    hint: install,
    ...(!comesAlong && { details: ABSENT }),
  })

export const notServed = (path: string): ToolError =>
  new ToolError('unavailable', `No language server is known for ${path}`, {
    hint: 'Name one in your configuration: "languageServers": [{ "language", "command", "args", "extensions" }]',
    details: ABSENT,
  })

/** A server that reads such a configuration never finishes. */
export const circularProject = (files: readonly string[]): ToolError => {
  const [first = '', ...rest] = files
  const way = rest.length > 0 ? ` (by way of ${rest.join(', ')})` : ''
  return new ToolError('unavailable', `${first} extends itself${way}: no language server is asked while it does`, {
    hint: `Fix "extends" in ${first}`,
    details: { files: [...files] },
  })
}

/** Without the sandbox nothing can be hidden from a server. */
export const sandboxOffError = (name: string): ToolError =>
  new ToolError(
    'unavailable',
    `The language server '${name}' was not started: it would read files that you may not, as the sandbox is off`,
    { hint: 'Turn the sandbox on, or change the rules that hide files' },
  )
