import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openConnection } from './connection.ts'
import { deadlineIn } from './deadline.ts'

/** A server that closes its output, and ends a little later. */
const CLOSING = 'require("fs").closeSync(1); process.stdin.resume(); setTimeout(() => process.exit(3), 300)'

/** A server that ends within a message. */
const HALF = 'process.stdout.write("Content-Length: 100\\r\\n\\r\\n{", () => process.exit(3))'

const OPTIONS = {
  name: 'closing',
  settings: {},
  folder: { uri: 'file:///none', name: 'none' },
  floodBytes: 1024,
  begins: undefined,
  oneAtATime: ['shutdown'],
}

async function connected(script: string) {
  const server = spawn(process.execPath, ['-e', script])
  const exit = once(server, 'exit').then(([code, signal]) => ({ code, signal }))
  const { stdin, stdout, stderr } = server
  const connection = await openConnection(
    { pid: server.pid ?? 0, stdin, stdout, stderr, end: () => void server.kill(), exit },
    OPTIONS,
  )
  return { connection, stdout }
}

describe('a connection whose server has closed its output', () => {
  it('drops what it is told, and answers questions with how the server ended', async () => {
    const { connection, stdout } = await connected(CLOSING)
    await once(stdout, 'close')
    connection.notify('initialized', {})
    for (const method of ['initialize', 'shutdown', 'shutdown'])
      await expect(connection.request(method, {}, z.unknown(), deadlineIn(30_000))).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('exit code 3'),
        details: { died: true },
      })
  })

  it('within a message keeps nothing that would keep the process alive', () => {
    const script = `
      import { spawn } from 'node:child_process'
      import { openConnection } from ${JSON.stringify(import.meta.resolve('./connection.ts'))}
      const server = spawn(process.execPath, ['-e', ${JSON.stringify(HALF)}])
      const exit = new Promise(resolve => server.on('exit', code => resolve({ code })))
      const { pid, stdin, stdout, stderr } = server
      await openConnection({ pid, stdin, stdout, stderr, end() {}, exit }, ${JSON.stringify(OPTIONS)})
    `
    const { status, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 60_000 })
    expect([status, signal]).toEqual([0, null])
  })
})
