// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { createBashTool, type ToolContext } from '../../src/contracts.ts'
import { needs } from '../needs.ts'
import { noneLeft } from '../sandbox/world.ts'
import { useProject } from './directory.ts'

const it = needs('bubblewrap')
const project = useProject({ 'src/a.ts': 'export const a = 1\n' })
const run = async (command: string, more: Partial<ToolContext> = {}) => {
  const context = { cwd: project.cwd, permissions: ['fs:read', 'fs:write', 'exec'], ...more }
  const { data, error } = await createBashTool().execute({ command }, context)
  return { stdout: data?.stdout ?? '', exitCode: data?.exitCode, code: error?.code }
}

describe('SG-15: the child process of a call of Bash', () => {
  it('gets an environment of its own, with what the context gives, in the directory of the context', async () => {
    vi.stubEnv('SECRET_OF_OURS', 'do not tell')
    const { stdout } = await run('env; pwd', { env: { GIVEN: 'by the context' } })
    expect(stdout).toMatch(/^GIVEN=by the context$/m)
    expect(stdout).not.toContain('do not tell')
    expect(stdout).not.toContain('TOOLWRIGHT_STATE')
    expect(stdout.trim().split('\n').at(-1)).toBe(project.cwd)
  })

  it('reaches nothing beside the workspace, to read or to write', async () => {
    const outside = join(project.cwd, '../outside.txt')
    writeFileSync(outside, 'theirs')
    expect(await run(`cat ${outside}`)).toMatchObject({ stdout: '', exitCode: 1 })
    // It may write to a directory of its own that has the same name.
    await run('echo x > ../made.txt')
    expect(existsSync(join(project.cwd, '../made.txt'))).toBe(false)
  })

  it('has limits of the kernel on what it may use', async () => {
    const { stdout } = await run('for each in c n t d f u; do ulimit -$each; done')
    const limits = stdout.trim().split('\n')
    expect(limits).toHaveLength(6)
    expect(limits[0]).toBe('0')
    for (const limit of limits) expect(limit).toMatch(/^\d+$/)
  })

  it('shares neither files outside the workspace, variables nor processes with the next call', async () => {
    const first = await run('echo left > /tmp/left; echo home > ~/left; export LEFT=1; sleep 73.1 & cat /tmp/left')
    expect(first).toMatchObject({ stdout: 'left\n', exitCode: 0 })
    const next = await run('ls /tmp/left ~/left 2>/dev/null; echo "[$LEFT]"; cat /proc/[0-9]*/cmdline | tr "\\0" " "')
    expect(next.stdout).toMatch(/^\[\]\n/)
    expect(next.stdout).not.toContain('sleep 73.1')
  })

  it('leaves no process, also of those that left its group', async () => {
    await run('sleep 73.2 & setsid sleep 73.2 & (trap "" HUP TERM; sleep 73.2) & echo started')
    expect(await noneLeft('73.2')).toEqual([])
  })
})
