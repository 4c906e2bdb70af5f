import { PassThrough } from 'node:stream'
import { serveStdio } from '../../src/surfaces/mcp/serve-stdio.ts'

/** Run as a process of its own in a workspace, with a tool and its input as JSON: serves MCP and makes one call. */
const [name = '', input = '{}'] = process.argv.slice(2)
const [requests, answers] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })]
const { over } = await serveStdio({ root: '.', input: requests, output: answers })
const clientInfo = { name: 'house', version: '1' }
const messages = [
  { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name, arguments: JSON.parse(input) } },
]
for (const message of messages) requests.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
requests.end()
await over
const last = JSON.parse(String(answers.read()).trimEnd().split('\n').at(-1) ?? '')
if (last.id !== 2 || last.result?.isError !== undefined) throw new Error(JSON.stringify(last))
