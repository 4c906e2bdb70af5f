import { BACKGROUND } from '../background.ts'

/** How a tool of our own contract is typed as a command; everything else follows from the schema of its input. */
export interface ToolCommand {
  readonly tool: string
  /** In place of the description of the tool, where the command does one part of it. */
  readonly about?: string
  readonly aliases?: readonly string[]
  /** Options that may be given by their place, in this order. */
  readonly positionals: readonly string[]
  /** Parameters under another option than their own name. */
  readonly options?: Readonly<Record<string, string>>
  /** Parameters that this command cannot do without, though the tool can. */
  readonly required?: readonly string[]
  /** What stands for the value in the help. */
  readonly placeholders?: Readonly<Record<string, string>>
  /** What the command says by itself. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** Parameters that make no sense with this command. */
  readonly without?: readonly string[]
  /** Parameters that are refused with the reason, and so are in no help: `callOnce` says it. */
  readonly refused?: readonly string[]
  /** Parameters that name a file or directory: typed relative to the current directory. */
  readonly paths?: readonly string[]
  /** A parameter that is a path only where another one has this value. */
  readonly pathWhen?: { readonly key: string; readonly other: string; readonly is: string }
  /** The path that is the current directory unless given. */
  readonly here?: string
  /** A text that may also come from a file, and from standard input where it is demanded or `orInput` says so. */
  readonly text?: {
    readonly key: string
    readonly orInput?: true
    readonly mayBeEmpty?: true
    readonly unless?: string
  }
  /** A list of which one item is given by options of its own. */
  readonly item?: string
  /** `FILE:LINE` gives both of these parameters. */
  readonly place?: { readonly path: string; readonly line: string }
  /** A first argument that is no file is the value of this parameter. */
  readonly orName?: string
  /** Whoever types the command means the file at this path as it is now, read before or not. */
  readonly replaces?: string
  /** The rest of the line is a command: as one word a line for the shell, else a program and its arguments. */
  readonly words?: { readonly line: string; readonly list: string }
}

const SYMBOL = { options: { path: 'file' }, paths: ['path'] } as const

const IDS = { include: 'ID', leave: 'ID' } as const
const EXPECT = { expect: 'HASH' } as const

/** Every command that is a tool, but for those with an output of their own (`OWN_OUTPUT`). */
export const TOOL_COMMANDS: Readonly<Record<string, ToolCommand>> = {
  read: { tool: 'read', positionals: ['path'], paths: ['path'] },
  list: { tool: 'list', aliases: ['ls'], positionals: ['path'], paths: ['path'], here: 'path' },
  symbols: {
    tool: 'symbols',
    positionals: ['path', 'query'],
    paths: ['path'],
    placeholders: { path: 'FILE', query: 'NAME' },
    fixed: { query: '' },
    orName: 'query',
  },
  context: {
    tool: 'context',
    positionals: ['path', 'line'],
    paths: ['path'],
    placeholders: { path: 'FILE:LINE', line: 'LINE' },
    place: { path: 'path', line: 'line' },
  },
  references: { tool: 'references', aliases: ['refs'], positionals: ['name'], ...SYMBOL },
  effects: { tool: 'effects', positionals: ['id'] },
  write: {
    tool: 'write',
    positionals: ['path', 'content-file'],
    paths: ['path'],
    placeholders: { ...EXPECT, content: 'TEXT' },
    text: { key: 'content', orInput: true, mayBeEmpty: true },
    replaces: 'path',
  },
  edit: { tool: 'edit', positionals: ['path', 'old', 'new'], paths: ['path'], placeholders: EXPECT, item: 'edits' },
  patch: { tool: 'patch', positionals: ['diff-file'], text: { key: 'diff', orInput: true } },
  move: {
    tool: 'move',
    aliases: ['mv'],
    positionals: ['from', 'to'],
    paths: ['from', 'to'],
    placeholders: { from: 'FROM', to: 'TO' },
  },
  delete: { tool: 'delete', aliases: ['rm'], positionals: ['path'], paths: ['path'] },
  rename: {
    tool: 'refactor',
    about:
      'Rename a function, method, class, type or variable wherever it is used, all files in one commit. What cannot be done exactly is refused, and nothing is changed: the answer then lists the places that nobody can decide, with ids for --include and --leave.',
    positionals: ['symbol', 'to'],
    ...SYMBOL,
    required: ['symbol', 'to'],
    placeholders: { symbol: 'OLD', to: 'NEW', ...IDS },
    fixed: { kind: 'rename' },
    without: ['text'],
  },
  refactor: {
    tool: 'refactor',
    positionals: ['kind', 'symbol', 'to'],
    ...SYMBOL,
    placeholders: IDS,
    pathWhen: { key: 'to', other: 'kind', is: 'move' },
    text: { key: 'text' },
  },
  run: {
    tool: 'run',
    about:
      'Run a line for the shell, or a program and its arguments, in the sandbox, in `cwd`, with `stdin`, on a `terminal` if set; ends it after `timeoutMs` (120 s unless given). ' +
      'It sees staged changes; its own are shown, undone and committed like any other, but what git ignores lands at once. It reaches only `hosts`. Write secrets as $ENV.NAME.',
    positionals: [],
    refused: BACKGROUND,
    paths: ['cwd'],
    here: 'cwd',
    placeholders: { cwd: 'DIR', stdin: 'TEXT', hosts: 'HOST' },
    text: { key: 'stdin' },
    words: { line: 'command', list: 'argv' },
  },
  fetch: { tool: 'fetch', positionals: ['url'] },
  stage: { tool: 'stage', positionals: ['action'] },
  plan: {
    tool: 'plan',
    about:
      'Keep the steps of a larger task. --items is always the whole list, at most 15 of {"content", "activeForm", "status"}; without it the command shows the list that was given last in this workspace.',
    positionals: [],
  },
  check: {
    tool: 'check',
    positionals: ['schema'],
    placeholders: { schema: 'SCHEMA' },
    text: { key: 'text', orInput: true, unless: 'data' },
  },
}

/** Tools whose commands print in a form of their own; their options are in the table of `help.ts`. */
export const OWN_OUTPUT: readonly string[] = ['grep', 'find', 'callers', 'graph', 'index', 'undo']

/** The command of this name or short name. */
export function toolCommandOf(name: string): { readonly name: string; readonly command: ToolCommand } | undefined {
  for (const [own, command] of Object.entries(TOOL_COMMANDS))
    if (own === name || command.aliases?.includes(name)) return { name: own, command }
  return undefined
}
