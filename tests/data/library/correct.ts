import { openToolkit, type DataOf, type InputOf, type Toolkit, type ToolkitOptions, type ToolwrightTools } from 'toolwright'
import { defineTool, reads } from 'toolwright'
import { cliAgent, toolwright } from 'toolwright/contracts'
import { createMcpServer } from 'toolwright/mcp'
import { z } from 'zod'

const kit = await openToolkit({ root: '.', readOnly: true })
const { outcome } = await kit.run('read', { path: 'a.ts', from: 1 }, { dryRun: true })
if (outcome.ok) {
  const content: string = outcome.data.content
  const next: number | undefined = outcome.data.next?.from
  console.log(content, next)
} else console.log(outcome.error.code)

// Each contract by its id, in the options of the toolkit or of one call.
const sage = await openToolkit({ contract: 'sage' })
const read = await sage.run('Read', { file: 'a.ts' })
if (read.outcome.ok) console.log(read.outcome.data.content.length)
const listed = await kit.run('list_dir', { path: '.' }, { contract: 'cli-agent' })
if (listed.outcome.ok) console.log(listed.outcome.data.output.length)
for (const [contract, work] of [
  ['superconnect', async () => (await openToolkit({ contract: 'superconnect' })).run('listFiles', { directory: '.' })],
  ['autonomous', async () => (await openToolkit({ contract: 'autonomous' })).run('read_file', { path: 'a.ts' })],
  ['debug-assistant', async () => (await openToolkit({ contract: 'debug-assistant' })).run('read_file', { filePath: 'a.ts' })],
] as const)
  console.log(contract, (await work()).outcome.ok)

// A contract as a value, and one with a tool of its own.
await kit.session({ contract: cliAgent }).run('read_file', { path: 'a.ts' })
const count = defineTool({
  name: 'count',
  version: '1.0.0',
  description: 'Count the bytes of a file.',
  input: z.strictObject({ path: z.string() }),
  output: z.strictObject({ bytes: z.int() }),
  effects: ['read'],
  claims: ({ path }) => reads(path),
  run: ({ path }, { text }) => ({ bytes: text.read(path).bytes }),
  examples: [{ input: { path: 'a.ts' } }],
})
const shop = await openToolkit({ contract: { ...toolwright, id: 'shop', tools: [...toolwright.tools, count] } })
const counted = await shop.run('count', { path: 'a.ts' })
if (counted.outcome.ok) console.log(counted.outcome.data.bytes + 1)
await shop.run('grep', { pattern: 'x' })

// Types by name, calls together, and the server.
const input: InputOf<ToolwrightTools, 'edit'> = { path: 'a.ts', edits: [{ old: 'a', new: 'b' }] }
const written = await kit.transaction(async session => {
  const { outcome: edited } = await session.run('edit', input)
  return edited.ok ? edited.data : undefined
})
const data: DataOf<ToolwrightTools, 'edit'> | undefined = written
console.log(data?.path)
await createMcpServer(kit)

// Names that are known only at run time.
const any: Toolkit = kit
const [name = 'read', contract = 'toolwright'] = process.argv.slice(2)
await any.run(name, JSON.parse('{}'), { contract })
const options: ToolkitOptions = {}
await (await openToolkit(options)).run(name, {})
