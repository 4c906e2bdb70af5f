import type { ToolCommand } from '../../../kernel/tool-command.ts'
import { BACKGROUND } from '../background.ts'

const SYMBOL = { options: { path: 'file' }, paths: ['path'] } as const

const IDS = { include: 'ID', leave: 'ID' } as const
const EXPECT = { expect: 'HASH' } as const

/**
 * Commands for a tool that have other names, or that the tool does not describe itself. Those with their own output are
 * in `OWN_OUTPUT`; any other tool is a command as its schema says.
 */
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
      'Rename a function, method, class, type or variable wherever it is used, all files in one commit. If that cannot be done exactly, it changes nothing and lists the undecided places, with ids for --include and --leave.',
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
      'Run a line for the shell, or a program and its arguments, in the sandbox, in `cwd`, with `stdin`, on a `terminal` if set; ends it after `timeoutMs` (default 120 s). ' +
      'It sees staged changes; its own changes are shown, committed and undone like any other, but ignored paths land at once. It reaches only `hosts`. Write secrets as $ENV.NAME.',
    positionals: [],
    refused: BACKGROUND,
    paths: ['cwd'],
    here: 'cwd',
    placeholders: { cwd: 'DIR', stdin: 'TEXT', hosts: 'HOST' },
    text: { key: 'stdin' },
    words: { line: 'command', list: 'argv' },
  },
  fetch: { tool: 'fetch', positionals: ['url'] },
  docs: {
    tool: 'docs',
    positionals: ['query'],
    options: { sources: 'source' },
    placeholders: { sources: 'SOURCE', package: 'NAME' },
  },
  stage: { tool: 'stage', positionals: ['action'] },
  plan: {
    tool: 'plan',
    about:
      'Keep the steps of a larger task. --items is always the whole list, at most 15 of {"content", "activeForm", "status"}; without it the command shows the last list of this workspace.',
    positionals: [],
  },
  recall: { tool: 'fixes', positionals: ['query'], placeholders: { query: 'ERROR' } },
  remember: { tool: 'remember', positionals: [], placeholders: { into: 'ID' } },
  check: {
    tool: 'check',
    positionals: ['schema'],
    placeholders: { schema: 'SCHEMA' },
    text: { key: 'text', orInput: true, unless: 'data' },
  },
}

/** Tools whose commands have their own output; `help.ts` lists their options. */
export const OWN_OUTPUT: readonly string[] = ['grep', 'find', 'callers', 'graph', 'index', 'undo']

/** Returns the command of this name or short name. */
export function toolCommandOf(name: string): { readonly name: string; readonly command: ToolCommand } | undefined {
  for (const [commandName, command] of Object.entries(TOOL_COMMANDS))
    if (commandName === name || command.aliases?.includes(name)) return { name: commandName, command }
  return undefined
}
