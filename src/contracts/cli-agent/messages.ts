import type { Call } from '../../kernel/contract.ts'
import type { Code, ToolError } from '../../kernel/error.ts'
import { isSystemRefusal } from '../../kernel/system-refusal.ts'

interface Message {
  /** As the section of the tool prints it after `Error: `. */
  readonly message: string
  /** The longer text of the document's error object, if there is one. */
  readonly long?: string
  readonly suggestion?: string
}

type Wording = (field: (name: string) => string, error: ToolError) => Message

/** The document's sentences by failure, and by tool if a tool words it differently. */
const WORDINGS: Readonly<Record<string, Wording>> = {
  outside_workspace: field => ({
    message: `Path '${field('path') || field('base_path')}' is outside working directory`,
    suggestion: 'Use a path inside the working directory',
  }),
  not_found: field => ({
    message: `File '${field('path')}' not found`,
    long: `File '${field('path')}' not found in working directory`,
    suggestion: 'Check the file name and try again, or use file_search to find it',
  }),
  out_of_range: (_field, error) => ({ message: error.message, suggestion: 'Ask for lines that the file has' }),
  'create_file exists': field => ({
    message: `File '${field('path')}' already exists. Use replace_string_in_file to modify`,
    suggestion: 'Use replace_string_in_file to modify it, or choose another name',
  }),
  'create_file denied': field => ({ message: `Cannot create file '${field('path')}' - permission denied` }),
  'replace_string_in_file no_match': field => ({
    message: `String '${field('old_string')}' not found in file`,
    suggestion: 'Read the file and copy the string exactly as it stands there',
  }),
  'list_dir not_a_directory': field => ({
    message: `Path '${field('path')}' is not a directory`,
    suggestion: 'Use read_file to read a file',
  }),
  'list_dir not_found': field => ({
    message: `Directory '${field('path')}' not found`,
    suggestion: 'Check the name, or list its parent',
  }),
  'file_search not_a_directory': field => ({
    message: `Path '${field('base_path')}' is not a directory`,
    suggestion: 'Search from a directory',
  }),
  'file_search not_found': field => ({
    message: `Directory '${field('base_path')}' not found`,
    suggestion: 'Check the name, or list its parent',
  }),
  'list_dir denied': () => ({ message: 'Cannot list directory - permission denied' }),
  'create_directory exists': field => ({
    message: `Path '${field('path')}' exists as a file, cannot create directory`,
    suggestion: 'Choose another name',
  }),
  'run_in_terminal timeout': (_field, { details }) => ({
    message: `Command timed out after ${Number(details?.['timeoutMs']) / 1000} seconds`,
    suggestion: `Give it more time with timeout_seconds, at most 300; ${fateOf(details)}`,
  }),
  'run_in_terminal quota': (_field, { message, details }) => ({
    message,
    suggestion: `${LESS[String(details?.['limit'])] ?? 'Have it do less at once'}; ${fateOf(details)}`,
  }),
  'run_in_terminal cancelled': (_field, { message, details }) => ({
    message,
    suggestion: `Make the call again if it is still wanted; ${fateOf(details)}`,
  }),
  'terminal_last_command not_found': (_field, error) => ({
    message: error.message,
    suggestion: 'Run a command with run_in_terminal first',
  }),
  'create_directory denied': () => ({ message: 'Cannot create directory - permission denied' }),
  'fetch_webpage invalid_input': (_field, error) =>
    error.details?.['reason'] === undefined
      ? { message: error.message }
      : {
          message: 'Invalid URL format',
          suggestion: `${error.message}. Use a whole URL that begins with http:// or https://`,
        },
  'fetch_webpage io': (_field, error) => ({
    message: `Failed to fetch - ${String(error.details?.['reason'] ?? error.message)}`,
    suggestion: 'Check the address, and whether the server answers',
  }),
  'fetch_webpage binary': (_field, { message }) => ({
    message,
    suggestion: 'This tool shows text only; fetch a page of text, or have run_in_terminal download it',
  }),
  'fetch_webpage timeout': (_field, error) => ({
    message: error.message,
    suggestion: 'Try again, or give it more time with timeout_seconds',
  }),
}

const LESS: Readonly<Record<string, string>> = {
  output: 'Have it print less, or into a file',
  file: 'Have it write less into one file',
  memory: 'Have it work on less at once',
  processes: 'Have it start fewer processes at once',
  cpu: 'Have it work on less at once',
}

/** What happened to the changes of a command that was ended. */
const fateOf = (details: ToolError['details']): string =>
  details?.['direct'] === true ? 'what it changed by then stays' : 'its changes to files were dropped'

/** Used if neither the tool nor the engine gives a hint. */
const NEXT: Partial<Readonly<Record<Code, string>>> = {
  not_a_directory: 'Use a path that leads through directories only',
  denied: 'Ask the user to permit it, or do without it',
  rejected: 'Ask the user what they would rather have done',
  conflict: 'Read the file again, then repeat the change',
  timeout: 'Ask for less at once',
  cancelled: 'Make the call again if it is still wanted',
  internal: 'This is a defect of the tool: report it, with the record of the call',
}
const OTHERWISE = 'Check the parameters and try again'

/** Words refusals of the disk and of rules alike, because the document has one kind of permission. */
export const codeOf = (error: ToolError): Code => (isSystemRefusal(error) ? 'denied' : error.code)

/** Returns the document's error object: what went wrong, and what to do next. */
export function wordingOf({ name, input }: Call, error: ToolError): Required<Message> {
  const code = codeOf(error)
  const field = (key: string): string => {
    const value: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, key) : undefined
    return typeof value === 'string' ? value : ''
  }
  const words = (WORDINGS[`${name} ${code}`] ?? WORDINGS[code])?.(field, error) ?? {
    message: error.message,
  }
  return {
    message: words.message,
    long: words.long ?? words.message,
    suggestion: words.suggestion ?? error.hint ?? NEXT[code] ?? OTHERWISE,
  }
}
