// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap')

const get = (url: string) =>
  `node -e 'require("http").get("${url}", r => r.setEncoding("utf8").on("data", t => console.log(r.statusCode, t))).on("error", e => console.log("failed", e.code))'`

describe('the machine itself, for a command', () => {
  it('is reached where it was granted by name, and its own servers are beside one of another name', async () => {
    const server = createServer((_, response) => response.end('from the machine'))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as AddressInfo
      await using workspace = temporaryWorkspace()
      mkdirSync(join(workspace.base, 'config'))
      const rules = ['127.0.0.1', 'localhost'].map(name => ({
        action: 'net',
        host: `${name}:${port}`,
        verdict: 'allow',
      }))
      writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ policy: { rules } }))
      const kit = await workspace.open({ permissions: ['exec'] })
      const serve = `node -e 'require("http").createServer((q, r) => r.end("its own")).listen(9191, "127.0.0.1")' & sleep 1`
      const own = `${serve}; ${get('http://127.0.0.1:9191')}`
      const machine = `http://127.0.0.1:${port}`
      expect((await kit.run('run', { command: get(machine), hosts: [machine] })).outcome).toMatchObject({
        ok: true,
        data: { stdout: '200 from the machine\n' },
      })
      const named = `http://localhost:${port}`
      expect((await kit.run('run', { command: `${get(named)}; ${own}`, hosts: [named] })).outcome).toMatchObject({
        ok: true,
        data: { stdout: '200 from the machine\n200 its own\n' },
      })
    } finally {
      server.close()
    }
  })
})
