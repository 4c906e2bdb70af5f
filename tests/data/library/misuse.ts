import { chain, createRegistry, defineTool, fileProvider, loadContract, openToolkit, reads, riskOf, ToolError, wireForm } from 'toolwright'
import { cliAgent, createReadTool, sage, ToolRegistry } from 'toolwright/contracts'
import { createMcpServer, serveStdio } from 'toolwright/mcp'
import { fakeWeb, temporaryWorkspace } from 'toolwright/testing'
import { z } from 'zod'

const kit = await openToolkit()
const [first] = kit.tools()
if (!first) throw new Error('there are tools')
await kit.run('raed', { path: 'a.ts' }) //! "raed"
await kit.run('read', { pth: 'a.ts' }) //! 'pth'
await kit.run('read', { path: 1 }) //! 'number'
await kit.run('read', {}) //! 'path'
await kit.run('read') //! Expected 2-3 arguments
await kit.run('read', { path: 'a.ts' }, { dryrun: true }) //! 'dryrun'
await kit.run('grep', { pattern: 'x', only: 'lines' }) //! "lines"
await kit.call('edit', { path: 'a.ts', edits: [{ old: 'a' }] }) //! 'new'
await kit.run('run', {}) //! '{}'
await kit.run('run', { command: 'ls', argv: ['ls'] }) //! 'string[]'
await kit.run('grep', {}) //! '{}'
await kit.run('graph', {}) //! '{}'
await kit.run('check', { schema: 'x' }) //! 'text'
await kit.run('refactor', { kind: 'rename', symbol: 'x' }) //! 'to'
await kit.run('refactor', { kind: 'replace-body', symbol: 'x' }) //! 'text'
await kit.run('refactor', { kind: 'delete' }) //! 'symbol'
await kit.run('read_file', { file_path: 'a.ts' }) //! "read_file"
await kit.run('read_file', { path: 1 }, { contract: 'cli-agent' }) //! 'number'
await kit.run('Reed', { file: 'a.ts' }, { contract: 'sage' }) //! "Reed"
kit.check('wirte', { path: 'a.ts', content: '' }) //! "wirte"
const { outcome } = await kit.run('read', { path: 'a.ts' })
outcome.data //! 'data'
if (outcome.ok) outcome.data.contents //! 'contents'
if (!outcome.ok && outcome.error.code === 'gone') throw outcome.error //! "gone"
await kit.transaction(session => session.run('stag', {})) //! "stag"
await openToolkit({ contract: 'sgae' }) //! "sgae"
await openToolkit({ readonly: true }) //! 'readonly'
await openToolkit({ approve: () => ({ answer: 'perhaps', by: 'ann' }) }) //! "perhaps"
const other = await openToolkit({ contract: sage })
await other.run('read', { path: 'a.ts' }) //! "read"
await kit.session({ contract: cliAgent }).run('read', { path: 'a.ts' }) //! "read"
await kit.session({ permissions: 'fs:write' }) //! 'string'
reads(1) //! 'number'
riskOf(['reading']) //! "reading"
wireForm(first, 'open-ai') //! "open-ai"
new ToolError('missing', 'It is not there') //! "missing"
chain('env') //! 'string'
fileProvider(1, {}) //! 'number'
createRegistry([{ name: 'a' }]) //! 'effects'
await loadContract(1) //! 'number'
defineTool({ name: 'a', version: '1.0.0', description: '', input: z.object({}), output: z.object({}), effects: ['look'], claims: () => [], run: () => ({}), examples: [] }) //! "look"
defineTool({ name: 'a', version: '1.0.0', description: '', input: z.object({}), output: z.object({ n: z.number() }), effects: [], claims: () => [], run: () => ({ n: 'one' }), examples: [] }) //! 'string'
await createReadTool().execute({ path: 'a.ts' }, { cwd: '.' }) //! 'path'
new ToolRegistry({ readOnly: 'yes' }) //! 'string'
createMcpServer({ root: '.' }) //! 'Toolkit'
await serveStdio({ contracts: 1 }) //! 'number'
temporaryWorkspace({ 'a.ts': 1 }) //! 'number'
fakeWeb(1) //! 'number'
