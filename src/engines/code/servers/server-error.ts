import { ToolError } from '../../../kernel/error.ts'

/** A server that is gone, and why. */
export const serverOver = (name: string, why: string): ToolError =>
  new ToolError('unavailable', `The language server '${name}' ${why}`, {
    hint: 'Ask again: it is started anew. toolwright doctor lists the language servers',
  })

/** A question that was not answered in time. */
export const serverLate = (name: string, doing: string): ToolError =>
  new ToolError('timeout', `The language server '${name}' ${doing} when the time for this question was over`, {
    hint: 'Give the question more time, or ask again: in the process of a workspace (toolwright up) it goes on meanwhile',
  })

export const notInstalled = (name: string, extension: string, install: string): ToolError =>
  new ToolError('unavailable', `The language server '${name}' for .${extension} files is not installed`, {
    hint: install,
  })

export const notServed = (path: string): ToolError =>
  new ToolError('unavailable', `No language server is known for ${path}`, {
    hint: 'Name one in your configuration: "languageServers": [{ "language", "command", "args", "extensions" }]',
  })

/** Without the sandbox nothing can be kept from a server. */
export const unmasked = (name: string): ToolError =>
  new ToolError(
    'unavailable',
    `The language server '${name}' was not started: it would read files that you may not, as the sandbox is off`,
    { hint: 'Turn the sandbox on, or have the rules changed that keep files from being read' },
  )
