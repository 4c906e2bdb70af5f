// oxlint-disable vitest/no-standalone-expect -- tests are given by `needs`, which the rule does not see
import { describe, expect } from 'vitest'
import { createBashTool } from '../../src/contracts.ts'
import { needs } from '../needs.ts'
import { useProject } from './directory.ts'

const project = useProject({ 'a.txt': 'one\n' })
const bash = createBashTool()
const it = needs('bubblewrap')

describe('the size of a file', () => {
  const FILE = { limits: { commands: { fileBytes: 1_000_000 } } }
  const run = (command: string) =>
    bash.execute({ command }, { cwd: project.cwd, permissions: ['exec', 'fs:read', 'fs:write'] })

  it.each([
    ['is ended by it', 'echo begun; echo two > a.txt; head -c 3000000 /dev/zero > large'],
    ['goes on', 'echo begun; echo two > a.txt; head -c 3000000 /dev/zero > large; echo after >&2; true'],
    ['takes the failure', 'echo begun; echo two > a.txt; head -c 3000000 /dev/zero > large || true'],
    ['removes the file', 'echo begun; echo two > a.txt; head -c 3000000 /dev/zero > large; rm large'],
    ['writes it somewhere else', 'echo begun; echo two > a.txt; head -c 3000000 /dev/zero > /tmp/large; true'],
    ['writes it elsewhere, otherwise spaced', 'echo begun;  head  -c 3000000 /dev/zero >/tmp/large;  true'],
    ['writes it at the end of a pipe', 'echo begun; head -c 3000000 /dev/zero | cat > /tmp/large; true'],
    ['ignores the signal', 'echo begun; echo two > a.txt; trap "" XFSZ; head -c 3000000 /dev/zero > large; true'],
  ])('SG-17: a line that %s is EQUOTA, what it printed is in data, and nothing lands', async (_, command) => {
    project.configure(FILE)
    const before = project.snapshot()
    expect(await run(command)).toMatchObject({
      ok: false,
      data: { stdout: 'begun\n', stderr: expect.any(String), exitCode: expect.any(Number) },
      error: { code: 'EQUOTA', message: expect.stringMatching(/a file of more than 1000000 bytes.*in data.*dropped$/) },
    })
    expect(project.snapshot()).toEqual(before)
  })

  it.each([
    'echo "File size limit exceeded" >&2',
    'echo "bash: line 1: 7 File size limit exceeded" >&2',
    'echo "bash: line 1:     7 File size limit exceeded   head -c 9 /dev/zero > large" >&2; echo two > a.txt',
    'cat old.log >&2',
  ])('SG-17: a line that only prints the words has passed nothing: %s', async command => {
    project.configure(FILE)
    project.write('old.log', 'make.sh: line 3:   812 File size limit exceeded  tar cf backup.tar .\n')
    expect(await run(command)).toMatchObject({
      ok: true,
      data: { stderr: expect.stringContaining('File size limit exceeded'), exitCode: 0 },
    })
  })

  it('SG-17: a file that is as large as it may be lands', async () => {
    project.configure(FILE)
    expect(await run('head -c 1000000 /dev/zero | tr "\\0" x > large')).toMatchObject({ ok: true })
    expect(project.read('large')).toHaveLength(1_000_000)
  })
})
