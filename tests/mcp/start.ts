import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { TemporaryWorkspace } from '../../src/testing/index.ts'
import { CLI } from './connect.ts'

export const initialize = (protocolVersion: unknown = '2025-06-18', capabilities: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities, clientInfo: { name: 't', version: '1' } },
})

export const INITIALIZE = initialize()

/** The real command, spoken to line by line. */
export function start({ path, env }: Pick<TemporaryWorkspace, 'path' | 'env'>, args: readonly string[] = []) {
  const child = spawn(process.execPath, [CLI, 'mcp', ...args], { cwd: path, env })
  const ended = once(child, 'close')
  let [out, err] = ['', '']
  child.stdout.on('data', chunk => (out += chunk))
  child.stderr.on('data', chunk => (err += chunk))
  const send = (...messages: readonly (object | string)[]) =>
    void child.stdin.write(messages.map(one => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join(''))
  const lines = () => out.split('\n').slice(0, -1)
  const ready = async () => {
    send(INITIALIZE)
    while (lines().length === 0 && child.exitCode === null) await pause(10)
  }
  /** What is answered to these messages until the input ends. */
  const answers = async (...messages: readonly (object | string)[]) => {
    send(...messages)
    child.stdin.end()
    await ended
    return lines().map(line => JSON.parse(line))
  }
  return { child, ended, send, lines, ready, answers, err: () => err }
}
