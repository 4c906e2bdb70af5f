import { ToolError } from '../../kernel/error.ts'
import type { Root } from '../workspace/root.ts'
import { runRipgrep } from './ripgrep.ts'

export interface GrepOptions {
  readonly pattern: string
  readonly regex?: boolean
  /** Only files that this glob names. */
  readonly glob?: string | undefined
  readonly maxResults: number
  readonly timeoutMs: number
  /** Files that must not be looked into. */
  readonly mayRead: (path: string) => boolean
  readonly signal?: AbortSignal
}

export interface GrepMatch {
  readonly path: string
  readonly line: number
  readonly text: string
}

export interface Grepped {
  readonly matches: readonly GrepMatch[]
  /** All that there are, also those past the limit. */
  readonly total: number
  readonly filesSearched: number
  readonly timedOut: boolean
}

const LONGEST_PATTERN = 2_000

/** Finds lines in the text files of a workspace; where time runs out, what was found so far. */
export async function grep(root: Root, options: GrepOptions): Promise<Grepped> {
  const { pattern, regex = false, glob, maxResults } = options
  if (pattern.length > LONGEST_PATTERN)
    throw new ToolError(
      'invalid_input',
      `The pattern has ${pattern.length} characters; at most ${LONGEST_PATTERN} are taken`,
    )
  const matches: GrepMatch[] = []
  const hidden = new Set<string>()
  let total = 0
  let filesSearched = 0
  const { timedOut, complaint } = await runRipgrep(root, {
    directory: '.',
    args: [
      '--json',
      '--sort=path',
      '--max-columns=0',
      // A pattern that blows up when it is compiled is refused at once.
      '--regex-size-limit=1M',
      ...(regex ? [] : ['--fixed-strings']),
      ...(glob === undefined ? [] : [`--glob=${glob}`]),
      `--regexp=${pattern}`,
      '.',
    ],
    timeoutMs: options.timeoutMs,
    ...(options.signal && { signal: options.signal }),
    onLine(line) {
      const event = readEvent(line)
      if (event?.type === 'begin' && !options.mayRead(event.path)) hidden.add(event.path)
      if (event?.type === 'end' && !hidden.has(event.path)) filesSearched++
      if (event?.type === 'summary') filesSearched = Math.max(0, event.searched - hidden.size)
      if (event?.type !== 'match' || hidden.has(event.path)) return
      total++
      if (matches.length < maxResults) matches.push({ path: event.path, line: event.line, text: event.text })
    },
  })
  if (complaint !== undefined && total === 0) throw refused(complaint, glob)
  return { matches, total, filesSearched, timedOut }
}

type Event =
  | { readonly type: 'begin' | 'end'; readonly path: string }
  | { readonly type: 'match'; readonly path: string; readonly line: number; readonly text: string }
  | { readonly type: 'summary'; readonly searched: number }

function readEvent(line: string): Event | undefined {
  const { type, data } = JSON.parse(line)
  const path = textOf(data?.path).replace(/^\.\//, '')
  if (type === 'begin' || type === 'end') return { type, path }
  if (type === 'match') return { type, path, line: data.line_number, text: textOf(data.lines).replace(/\r?\n$/, '') }
  return type === 'summary' ? { type, searched: data.stats.searches } : undefined
}

/** Text that is not UTF-8 comes as base64. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  if ('text' in value && typeof value.text === 'string') return value.text
  return 'bytes' in value && typeof value.bytes === 'string'
    ? Buffer.from(value.bytes, 'base64').toString('latin1')
    : ''
}

function refused(complaint: string, glob: string | undefined): ToolError {
  if (glob !== undefined && complaint.includes('glob'))
    return new ToolError('invalid_input', `Invalid glob pattern '${glob}'`, { details: { glob } })
  const reason =
    complaint
      .split('\n')
      .findLast(line => line.startsWith('error: '))
      ?.slice('error: '.length) ?? lastLine(complaint)
  return new ToolError('invalid_input', `Invalid regex pattern: ${reason}`, { details: { regex: reason } })
}

const lastLine = (text: string): string => text.split('\n').findLast(line => line.trim() !== '') ?? text
