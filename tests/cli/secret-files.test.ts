import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli } from './rig.ts'

const cli = useCli({ '.env': 'PASSWORD=1\n', 'a.txt': 'PASSWORD\n' })
const READ = ['call', 'read', '{"path":".env"}'] as const

describe('toolwright and a file that holds secrets', () => {
  it('names the permission if no one can be asked, and accepts it', async () => {
    const refused = await cli.run(READ)
    expect(refused.code).not.toBe(0)
    expect(refused.out + refused.err).toContain("--allow 'fs:read:.env'")
    expect(refused.out + refused.err).not.toContain('PASSWORD=1')
    expect(await cli.run([...READ, '--allow', 'fs:read:.env'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('PASSWORD=1'),
    })
  })

  it('asks a person at a terminal', async () => {
    expect((await cli.run(READ, { person: ['y'] })).out).toContain('PASSWORD=1')
    expect((await cli.run(READ, { person: ['n'] })).out).not.toContain('PASSWORD=1')
  })

  it("is opened by the user's own configuration, and not by a project's that is trusted", async () => {
    writeFileSync(join(cli.workspace.path, 'toolwright.json'), JSON.stringify({ permissions: ['fs:read'] }))
    expect((await cli.run(['trust'])).code).toBe(0)
    expect((await cli.run(READ)).code).not.toBe(0)
    cli.configure({ permissions: ['fs:read'] })
    expect(await cli.run(READ)).toMatchObject({ code: 0, out: expect.stringContaining('PASSWORD=1') })
  })

  it('is found by its name and not by what it holds', async () => {
    expect((await cli.run(['find', '.env'])).out).toContain('.env')
    const { out } = await cli.run(['grep', 'PASSWORD'])
    expect(out).toContain('a.txt')
    expect(out).not.toContain('.env')
  })
})
