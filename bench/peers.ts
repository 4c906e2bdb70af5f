import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { rgPath } from '@vscode/ripgrep'

/** Runs a program to its end and reads what it prints, without looking at it. */
export function run(program: string, args: readonly string[], cwd: string, env = process.env): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
    let lines = 0
    child.stdout.on('data', (bytes: Buffer) => {
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++
    })
    child.on('error', reject).on('close', () => resolve(lines))
  })
}

export interface Question {
  readonly pattern: string
  readonly regex?: boolean
  readonly ignoreCase?: boolean
}

/** ripgrep on the same files with the same lines; its order costs it one thread, so it may take any. */
export const ripgrep = (cwd: string, question: Question): Promise<number> => run(rgPath, ripgrepArgs(question), cwd)

export const ripgrepArgs = ({ pattern, regex, ignoreCase }: Question): readonly string[] => {
  const flags = [...(regex ? [] : ['-F']), ...(ignoreCase ? ['-i'] : [])]
  return ['--no-config', '--hidden', '--glob=!.git', '--crlf', '-n', ...flags, '-e', pattern, '.']
}

export const gitGrep = (cwd: string, { pattern, regex, ignoreCase }: Question): Promise<number> =>
  run('git', ['grep', '-n', '-I', regex ? '-P' : '-F', ...(ignoreCase ? ['-i'] : []), '-e', pattern], cwd)

/** An MCP server on its standard input and output, asked one call after another. */
export interface StdioServer extends AsyncDisposable {
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown>
}

export async function stdioServer(program: string, args: readonly string[]): Promise<StdioServer> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (answer: unknown) => void>()
  let next = 1
  createInterface({ input: child.stdout }).on('line', line => {
    const { id, result } = JSON.parse(line)
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = (method: string, params: object): Promise<unknown> =>
    new Promise(resolve => {
      const id = next++
      waiting.set(id, resolve)
      send({ id, method, params })
    })
  const clientInfo = { name: 'bench', version: '1' }
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  return {
    call: (name, given) => request('tools/call', { name, arguments: given }),
    async [Symbol.asyncDispose]() {
      const ended = new Promise(resolve => child.on('close', resolve))
      child.kill()
      await ended
    },
  }
}
