import { join } from 'node:path'
import { sessionToolbox } from '../src/surfaces/agent/session-toolbox.ts'
import { openToolkit } from '../src/toolkit.ts'
import { times, type Bench, type Goal, type Row } from './bench.ts'
import { tokenizerFile } from './corpora.ts'
import { mcpWorld, type McpWorld } from './mcp-world.ts'

type Asked = readonly [tool: string, input: Readonly<Record<string, unknown>>]

/** The same work, as our tools do it and as the reference server does. */
interface Work {
  readonly what: string
  readonly ours: Asked
  readonly theirs: Asked
}

/** What a run of the agent pays for its tools: the list once a request, the answers once and then in every request. */
export const agent: Bench = {
  about: 'tokens (o200k) of the tools and of the answers of 20 fixed calls of a run, beside the reference server',
  async run() {
    const { countTokens }: { countTokens(text: string): number } = await import(tokenizerFile())
    await using world = await mcpWorld()
    const kit = await openToolkit({ root: world.root, env: world.env, effects: 'off', permissions: ['fs:write'] })
    try {
      const toolbox = await sessionToolbox(kit, kit, [])
      const listOf = (tools: readonly { readonly name: string; readonly description?: string }[]) =>
        countTokens(
          JSON.stringify(
            tools.map(({ name, description, ...more }) => ({
              name,
              description,
              parameters: Reflect.get(more, 'inputSchema'),
            })),
          ),
        )
      const { signal } = new AbortController()
      const theirTools = (await world.reference.tools()) as readonly { readonly name: string }[]
      const rows: Row[] = [row('list of tools', listOf(toolbox.tools), listOf(theirTools))]
      const sums = { ours: 0, theirs: 0 }
      for (const { what, ours, theirs } of work(world)) {
        const mine = await toolbox.call(...ours, { signal })
        const other = await world.reference.call(...theirs)
        if (!mine.ok || other.isError) throw new Error(`${what}: ${mine.ok ? other.text : mine.text}`)
        const [a, b] = [countTokens(mine.text), countTokens(other.text)]
        sums.ours += a
        sums.theirs += b
        rows.push(row(what, a, b))
      }
      rows.push(row('20 calls', sums.ours, sums.theirs))
      const ratio = sums.ours / sums.theirs
      const goals: Goal[] = [{ what: 'answers of 20 calls', limit: '≤ 1.00x', measured: times(ratio), met: ratio <= 1 }]
      return { rows, goals, notes: ['a list is its JSON as a provider gets it, an answer the text that a model reads'] }
    } finally {
      await kit.close()
    }
  },
}

const row = (what: string, ours: number, theirs: number): Row => ({ what, cells: { ours, reference: theirs } })

function work({ root }: McpWorld): readonly Work[] {
  const at = (path: string) => join(root, path)
  const read = (path: string): Work => ({
    what: `read ${path}`,
    ours: ['read', { path }],
    theirs: ['read_text_file', { path: at(path) }],
  })
  const edit = (path: string, old: string, text: string): Work => ({
    what: `edit ${path}`,
    ours: ['edit', { path, edits: [{ old, new: text }] }],
    theirs: ['edit_file', { path: at(path), edits: [{ oldText: text, newText: old }] }],
  })
  const write = (path: string): Work => ({
    what: `write ${path}`,
    ours: ['write', { path: `ours-${path}`, content: 'one\ntwo\n', expect: 'absent' }],
    theirs: ['write_file', { path: at(`theirs-${path}`), content: 'one\ntwo\n' }],
  })
  const list = (path: string): Work => ({
    what: `list ${path}`,
    ours: ['list', { path }],
    theirs: ['list_directory', { path: at(path) }],
  })
  const find = (glob: string): Work => ({
    what: `find ${glob}`,
    ours: ['find', { glob }],
    theirs: ['search_files', { path: root, pattern: glob }],
  })
  return [
    list('.'),
    list('src'),
    list('shop'),
    find('**/part77.py'),
    find('**/part12*.ts'),
    find('**/part1.*'),
    read('notes.txt'),
    read('src/part8.ts'),
    read('src/part9.ts'),
    read('shop/part8.py'),
    read('shop/part9.py'),
    read('shop/part10.py'),
    read('src/part10.ts'),
    {
      what: 'the first 20 lines',
      ours: ['read', { path: 'long.txt', from: 1, to: 20 }],
      theirs: ['read_text_file', { path: at('long.txt'), head: 20 }],
    },
    edit('notes.txt', 'state: before', 'state: after'),
    edit('shop/part8.py', 'One of many.', 'One of some.'),
    write('a.txt'),
    write('b.txt'),
    {
      what: 'move a file',
      ours: ['move', { from: 'ours-a.txt', to: 'ours-c.txt' }],
      theirs: ['move_file', { source: at('theirs-a.txt'), destination: at('theirs-c.txt') }],
    },
    read('notes.txt'),
  ]
}
