import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openConnection } from './connection.ts'
import { deadlineIn } from './deadline.ts'

/** A server that closes its output, and ends a little later. */
const CLOSING = 'require("fs").closeSync(1); process.stdin.resume(); setTimeout(() => process.exit(3), 300)'

describe('a connection whose server has closed its output', () => {
  it('drops what it is told, and answers questions with how the server ended', async () => {
    const server = spawn(process.execPath, ['-e', CLOSING])
    const exit = once(server, 'exit').then(([code, signal]) => ({ code, signal }))
    const { stdin, stdout, stderr } = server
    const connection = await openConnection(
      { pid: server.pid ?? 0, stdin, stdout, stderr, end: () => void server.kill(), exit },
      {
        name: 'closing',
        settings: {},
        folder: { uri: 'file:///none', name: 'none' },
        floodBytes: 1024,
        begins: undefined,
        oneAtATime: ['shutdown'],
      },
    )
    await once(stdout, 'close')
    connection.notify('initialized', {})
    for (const method of ['initialize', 'shutdown', 'shutdown'])
      await expect(connection.request(method, {}, z.unknown(), deadlineIn(30_000))).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('exit code 3'),
        details: { died: true },
      })
  })
})
