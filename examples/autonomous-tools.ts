import {
  createListFilesTool,
  createSearchCodeTool,
  createTodoManagerTool,
  createValidateOutputTool,
  executeTool,
  type AgentContext,
} from 'toolwright/contracts'
import { fakeGithub, temporaryWorkspace } from 'toolwright/testing'
import { z } from 'zod'

await using workspace = temporaryWorkspace()
// A fake GitHub over a real git repository; leave `network` out to read the real one.
await using github = await fakeGithub({ files: { 'src/price.ts': 'export const price = 3\n' }, token: 'ghp_example' })

const ctx: AgentContext = {
  cwd: workspace.path,
  connection: productId => (productId === 'shop' ? { repository: 'acme/shop', token: 'ghp_example' } : undefined),
  outputs: { price_list: z.object({ prices: z.array(z.number()).min(1) }) },
  network: github.network,
}
const tools = [createListFilesTool, createSearchCodeTool, createTodoManagerTool, createValidateOutputTool].map(make =>
  make(ctx, 'shop'),
)

console.log(await executeTool(tools, 'list_files', { path: 'src', pattern: '*.ts' }))
console.log((await executeTool(tools, 'search_code', { query: 'price' })).output)
console.log((await executeTool(tools, 'validate_output', { outputType: 'price_list', data: { prices: [] } })).output)
console.log((await executeTool(tools, 'delete_file', {})).error)
console.log(await createListFilesTool(ctx, 'another product').execute({}))
