import { join } from 'node:path'
import { atMost, type Bench, type Goal, type Row } from './bench.ts'
import { tokenizerFile } from './corpora.ts'
import { mcpWorld, ownServer, type McpWorld } from './mcp-world.ts'
import type { StdioServer } from './mcp-servers.ts'

const CONTRACTS = ['toolwright', 'superconnect', 'autonomous', 'cli-agent', 'debug-assistant', 'sage']
const LIST = 16_000
const CORE_LIST = 6_000
const ANSWER = 45_000

type Peer = 'reference' | 'commander' | 'ripgrep'
type Asked = readonly [tool: string, input: Readonly<Record<string, unknown>>]

/** One question, as we are asked it and as a peer is. */
interface Question {
  readonly what: string
  readonly ours: Asked
  readonly peers?: Readonly<Partial<Record<Peer, Asked>>>
}

/** What a model pays for: characters and tokens of lists and answers. */
export const tokens: Bench = {
  about: 'characters and tokens (o200k) of the tool lists and of common answers over MCP, beside other servers',
  async run() {
    const { countTokens }: { countTokens(text: string): number } = await import(tokenizerFile())
    const rows: Row[] = []
    const goals: Goal[] = []
    const add = (what: string, text: string): void =>
      void rows.push({ what, cells: { characters: text.length, tokens: countTokens(text) } })
    await using world = await mcpWorld()
    const listed = async (what: string, server: StdioServer, most?: number): Promise<void> => {
      const text = JSON.stringify(await server.tools())
      add(`list, ${what}`, text)
      if (most !== undefined) goals.push(atMost(`list, ${what}`, text.length, most, 'characters'))
    }
    for (const contract of CONTRACTS) {
      await using server = await ownServer(world, ['--contract', contract])
      await listed(contract, server, contract === 'toolwright' ? LIST : undefined)
    }
    {
      await using core = await ownServer(world, ['--tools', 'core'])
      await listed('toolwright, core', core, CORE_LIST)
    }
    for (const peer of ['reference', 'commander', 'ripgrep'] as const) await listed(peer, world[peer])
    let longest = 0
    for (const { what, ours, peers = {} } of questions(world)) {
      const { text } = await world.ours.call(...ours)
      longest = Math.max(longest, text.length)
      add(`${what}, ours`, text)
      for (const [peer, asked] of Object.entries(peers))
        add(`${what}, ${peer}`, (await world[peer as Peer].call(...asked)).text)
    }
    goals.push(atMost('the longest answer', longest, ANSWER, 'characters'))
    return {
      rows,
      goals,
      notes: ['as claude-code gets them; a list is its JSON, an answer the text that a model reads'],
    }
  },
}

/** Thirty questions in the order of a day's work. */
function questions({ root }: McpWorld): readonly Question[] {
  const at = (path: string) => join(root, path)
  const read = (what: string, path: string): Question => ({
    what,
    ours: ['read', { path }],
    peers: { reference: ['read_text_file', { path: at(path) }], commander: ['read_file', { path: at(path) }] },
  })
  const grep = (what: string, pattern: string): Question => ({
    what,
    ours: ['grep', { pattern }],
    peers: { ripgrep: ['advanced-search', { pattern, path: root, fixedStrings: true, showLineNumbers: true }] },
  })
  const list = (what: string, path: string): Question => ({
    what,
    ours: ['list', { path }],
    peers: { reference: ['list_directory', { path: at(path) }], commander: ['list_directory', { path: at(path) }] },
  })
  const edit = (what: string, path: string, old: string, next: string): Question => ({
    what,
    ours: ['edit', { path, edits: [{ old, new: next }], effects: 'off' }],
  })
  return [
    read('read of a note', 'notes.txt'),
    read('read of a TypeScript file', 'src/part8.ts'),
    read('read of a Python file', 'shop/part8.py'),
    read('read of a long text', 'long.txt'),
    read('read of a file that is not there', 'absent.txt'),
    {
      what: 'read of 20 lines',
      ours: ['read', { path: 'long.txt', from: 100, to: 119 }],
      peers: { commander: ['read_file', { path: at('long.txt'), offset: 99, length: 20 }] },
    },
    list('list of the root', '.'),
    list('list of 300 files', 'shop'),
    grep('grep of a rare word', 'part123'),
    grep('grep of a frequent word', 'One of many'),
    grep('grep of nothing', 'no such word'),
    { what: 'grep, counted by file', ours: ['grep', { pattern: 'part1', globs: ['src/*'], limit: 20 }] },
    {
      what: 'find of one file',
      ours: ['find', { glob: '**/part77.py' }],
      peers: { reference: ['search_files', { path: root, pattern: '**/part77.py' }] },
    },
    {
      what: 'find of many',
      ours: ['find', { glob: '**/*.py' }],
      peers: { reference: ['search_files', { path: root, pattern: '**/*.py' }] },
    },
    edit('edit of a note', 'notes.txt', 'state: before', 'state: after'),
    edit('edit of a Python file', 'shop/part8.py', 'One of many.', 'One of some.'),
    edit('edit that does not fit', 'notes.txt', 'state: before', 'x'),
    { what: 'write of a new file', ours: ['write', { path: 'new.txt', content: 'new\n', effects: 'off' }] },
    { what: 'delete', ours: ['delete', { path: 'new.txt', effects: 'off' }] },
    { what: 'undo', ours: ['undo', {}] },
    { what: 'symbols of a file', ours: ['symbols', { query: '', path: 'shop/part8.py' }] },
    { what: 'symbols by name', ours: ['symbols', { query: 'Part12' }] },
    { what: 'context of a line', ours: ['context', { path: 'shop/part8.py', line: 8 }] },
    { what: 'index by export', ours: ['index', { by: 'exports', value: 'part5' }] },
    { what: 'a command that prints little', ours: ['run', { command: 'ls | head -3' }] },
    { what: 'a command that prints much', ours: ['run', { command: 'cat long.txt' }] },
    { what: 'a command that fails', ours: ['run', { command: 'ls absent' }] },
    { what: 'a command that is not allowed', ours: ['run', { command: 'curl https://example.org' }] },
    { what: 'a transaction begun', ours: ['stage', { action: 'begin' }] },
    { what: 'a transaction dropped', ours: ['stage', { action: 'rollback' }] },
  ]
}
