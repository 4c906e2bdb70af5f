import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { serveStdio } from '../src/surfaces/mcp/serve-stdio.ts'
import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import { generatedPackage } from './generated-package.ts'
import { warmResident } from './warm-resident.ts'

interface CallAnswer {
  readonly text: string
  readonly isError: boolean
}

/** Our server in this process over a small workspace with a warm resident process, and a client that asks it. */
export interface CallWorld extends AsyncDisposable {
  readonly root: string
  call(name: string, args: object): Promise<CallAnswer>
}

export const PERMISSIONS = ['fs:write', 'exec'] as const

export async function callWorld(): Promise<CallWorld> {
  const workspace = temporaryWorkspace(callFiles())
  const resident = await warmResident(workspace.path, workspace.env)
  const [input, output] = [new PassThrough(), new PassThrough()]
  const serving = await serveStdio({
    root: workspace.path,
    env: workspace.env,
    permissions: PERMISSIONS,
    resident: 'use',
    input,
    output,
  })
  const request = requester(input, output)
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'claude-code', version: '2.1.325' },
  })
  input.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  const call = async (name: string, args: object): Promise<CallAnswer> => {
    const { content, isError = false } = Object(await request('tools/call', { name, arguments: args }))
    return { text: Array.isArray(content) ? content.map(({ text }) => String(text)).join('\n') : '', isError }
  }
  return {
    root: workspace.path,
    call,
    async [Symbol.asyncDispose]() {
      await serving.close()
      await resident[Symbol.asyncDispose]()
      await workspace.remove()
    },
  }
}

/** A small package, and a note that is edited. */
export const callFiles = (): Record<string, string> => ({
  ...generatedPackage(300),
  'notes.txt': `${'Some words of a note.\n'.repeat(40)}state: before\n`,
})

function requester(input: PassThrough, output: PassThrough) {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let next = 1
  createInterface({ input: output }).on('line', line => {
    const { id, result, error } = JSON.parse(line)
    const one = waiting.get(id)
    waiting.delete(id)
    if (error) one?.reject(new Error(JSON.stringify(error)))
    else one?.resolve(result)
  })
  return (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = next++
      waiting.set(id, { resolve, reject })
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
}
