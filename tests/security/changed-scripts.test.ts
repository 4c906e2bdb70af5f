import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Answerer, Toolkit } from '../../src/index.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'

const HARM = 'touch harmed\n'
const NODE_HARM = "require('fs').writeFileSync('harmed', '')\n"

interface Row {
  readonly line: string
  readonly cwd?: string
  /** The file that changes while the question is open. */
  readonly file: string
  readonly content: string
  /** What the conflict names, if not the file. */
  readonly named?: string
}

const manifest = (test: string, more: object = {}) =>
  JSON.stringify({ name: 'shop', ...more, scripts: { pretest: 'true', test, build: 'sh scripts/build.sh' } })

const FILES = {
  's.sh': 'true\n',
  'outer.sh': 'sh s.sh\n',
  'sourcing.sh': '. ./lib.sh\n',
  'lib.sh': 'true\n',
  'other.sh': 'true\n',
  's.cjs': '0\n',
  'r.cjs': '0\n',
  's.py': 'pass\n',
  'sub/s.sh': 'true\n',
  'sub/Makefile': 'all:\n\ttrue\n',
  'scripts/build.sh': 'true\n',
  'package.json': manifest('true'),
  Makefile: 'all:\n\ttrue\nbuild:\n\tsh scripts/build.sh\ninclude more.mk\n',
  'more.mk': '\n',
  'p.awk': 'BEGIN { print 1 }\n',
}

const changed = (line: string, file = 's.sh', more: Partial<Row> = {}): Row => ({ line, file, content: HARM, ...more })

const ROWS: readonly Row[] = [
  changed('sh s.sh'),
  changed('sh -e s.sh argument'),
  changed('bash ./s.sh'),
  changed('. ./s.sh'),
  changed('source s.sh'),
  changed('true && sh s.sh | cat'),
  changed("sh -c 'sh s.sh'"),
  changed('timeout 60 sh s.sh'),
  changed('env CI=1 sh s.sh'),
  changed('for i in 1 2; do sh s.sh; done'),
  changed('sh outer.sh'),
  changed('sh sourcing.sh', 'lib.sh'),
  changed('cd sub && sh s.sh', 'sub/s.sh'),
  changed('sh s.sh', 'sub/s.sh', { cwd: 'sub' }),
  changed('node s.cjs', 's.cjs', { content: NODE_HARM }),
  changed('node -r ./r.cjs s.cjs', 'r.cjs', { content: NODE_HARM }),
  changed('node --require=./r.cjs s.cjs', 'r.cjs', { content: NODE_HARM }),
  changed('python3 s.py', 's.py', { content: "open('harmed', 'w')\n" }),
  changed('awk -f p.awk', 'p.awk', { content: 'BEGIN { system("touch harmed") }\n' }),
  changed('make', 'Makefile', { content: 'all:\n\ttouch harmed\n' }),
  changed('make', 'GNUmakefile', { content: 'all:\n\ttouch harmed\n' }),
  changed('make -C sub', 'sub/Makefile', { content: 'all:\n\ttouch harmed\n' }),
  changed('make build', 'scripts/build.sh'),
  changed('make build', 'more.mk', { content: 'build:\n\ttouch harmed\n' }),
  changed('npm test', 'package.json', { content: manifest('touch harmed'), named: 'package.json (test)' }),
  changed('npm run test', 'package.json', { content: manifest('touch harmed'), named: 'package.json (test)' }),
  changed('npm run build', 'scripts/build.sh'),
]

const COUNT_AS_BEFORE: readonly Row[] = [
  changed('sh s.sh', 'other.sh'),
  changed('sh s.sh', 'notes.md'),
  changed('npm test', 'package.json', { content: manifest('true', { version: '2.0.0', dependencies: { a: '1' } }) }),
  changed('make all', 'other.sh'),
]

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace(FILES)
  for (const [path, content] of Object.entries(FILES)) workspace.write(path, content)
  execFileSync('git', ['init', '-q'], { cwd: workspace.path })
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  const policy = { rules: [{ action: 'write', path: '**', verdict: 'allow' }] }
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ policy }))
})
afterEach(() => workspace.remove())

const inputOf = ({ line, cwd }: Row) => ({ command: line, ...(cwd !== undefined && { cwd }) })
/** Writes as another call of the same session. */
async function rewrite(kit: Toolkit, { file, content }: Row): Promise<boolean> {
  const read = await kit.run('read', { path: file })
  const expected = read.outcome.ok ? Object(read.outcome.data).hash : 'absent'
  return (await kit.run('write', { path: file, content, expect: expected })).outcome.ok
}

const isHarmed = ({ cwd = '.' }: Row): boolean =>
  ['harmed', 'sub/harmed', join(cwd, 'harmed')].some(path => existsSync(join(workspace.path, path)))

describe('a file that a command runs and that changes while the question is open', () => {
  it.each(ROWS.map(row => [row.line, row.file, row] as const))('%s, %s: nothing runs', async (_line, _file, row) => {
    const kit = await workspace.open({
      async approve() {
        expect(await rewrite(kit, row)).toBe(true)
        return { answer: 'yes', by: 'ann' }
      },
    })
    const { outcome } = await kit.run('run', inputOf(row))
    expect(isHarmed(row)).toBe(false)
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining(`'${row.named ?? row.file}' has changed`) },
    })
  })

  it.each(COUNT_AS_BEFORE.map(row => [row.line, row.file, row] as const))(
    '%s, %s: an unrelated change stops nothing',
    async (_line, _file, row) => {
      const kit = await workspace.open({
        async approve() {
          expect(await rewrite(kit, row)).toBe(true)
          return { answer: 'yes', by: 'ann' }
        },
      })
      expect((await kit.run('run', inputOf(row))).outcome).toMatchObject({ ok: true })
    },
  )

  it('is seen where it is staged, too', async () => {
    const kit = await workspace.open({
      async approve({ card }) {
        if (card.tool === 'toolwright/run') await rewrite(kit, changed('sh s.sh'))
        return { answer: 'yes', by: 'ann' }
      },
    })
    await kit.run('stage', { action: 'begin' })
    const { outcome } = await kit.run('run', { command: 'sh s.sh' })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'conflict' } })
    await kit.run('stage', { action: 'commit' })
    expect(existsSync(join(workspace.path, 'harmed'))).toBe(false)
  })
})

describe('an answer for good', () => {
  const questions: string[] = []
  const approve: Answerer = ({ card: { why, proposal = '' } }) => {
    questions.push(`${why}\n${proposal}`)
    return { answer: questions.length === 1 ? 'always' : 'no', by: 'ann' }
  }
  beforeEach(() => void questions.splice(0))

  it.each(ROWS.map(row => [row.line, row.file, row] as const))(
    '%s: counts for what %s was, and says so',
    async (_line, _file, row) => {
      const kit = await workspace.open({ approve })
      await kit.run('run', inputOf(row))
      await kit.run('run', inputOf(row))
      expect(questions).toHaveLength(1)
      workspace.write(row.file, row.content)
      // Another process has the answer from disk.
      const later = await workspace.open({ approve })
      expect((await later.run('run', inputOf(row))).outcome).toMatchObject({ ok: false, error: { code: 'rejected' } })
      expect([questions.length, isHarmed(row)]).toEqual([2, false])
      expect(questions[0]).toMatch(/, while .+ stays? as now$/)
      expect(questions[1]).toContain(`was for another content of '${row.named ?? row.file}'`)
    },
  )

  it.each(COUNT_AS_BEFORE.map(row => [row.line, row.file, row] as const))(
    '%s: does not ask again for a change of %s',
    async (_line, _file, row) => {
      const kit = await workspace.open({ approve })
      await kit.run('run', inputOf(row))
      workspace.write(row.file, row.content)
      expect((await kit.run('run', inputOf(row))).outcome).toMatchObject({ ok: true })
      expect(questions).toHaveLength(1)
    },
  )
})
