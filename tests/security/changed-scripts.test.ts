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
  pipefail: '',
  'sub/sourcing.sh': '. ./lib.sh\n',
  'sub/lib.sh': 'true\n',
  'sub/beside.sh': '. "$(dirname "$0")/lib.sh"\n',
  'dots.mk': 'S = s.sh\nall:\n\tsh $(S)\n  include rest.mk\n',
  'rest.mk': 'X := $(shell sh other.sh)\nrest: ; sh \\\n  lib.sh\n\t$(MAKE) -C sub\n',
  'bin/tool': '#!/bin/sh\ntrue\n',
  'index.js': '0\n',
  'package/__main__.py': 'pass\n',
  's.cjs': '0\n',
  'r.cjs': '0\n',
  's.py': 'pass\n',
  'sub/s.sh': 'true\n',
  'sub/Makefile': 'all:\n\ttrue\n',
  'scripts/build.sh': 'true\n',
  'package.json': manifest('true'),
  Makefile: 'all:\n\ttrue\nbuild:\n\tsh scripts/build.sh\ninclude more.mk\n',
  'more.mk': '\n',
  list: 's.sh\n',
  makefiles: 'Makefile\n',
  place: 'sub\n',
  name: 'build\n',
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
  changed('(cd sub); sh s.sh'),
  changed('cd sub; cd - >/dev/null; sh s.sh'),
  changed('cd nowhere || sh s.sh'),
  changed('pushd sub >/dev/null; sh s.sh', 'sub/s.sh'),
  changed('env -C sub sh s.sh', 'sub/s.sh'),
  changed('sh sourcing.sh', 'sub/lib.sh', { cwd: 'sub' }),
  changed('sh sub/beside.sh', 'sub/lib.sh'),
  changed('bash -o pipefail s.sh'),
  changed('bash "$PWD/s.sh"'),
  changed('make -f dots.mk', 's.sh'),
  changed('make -f dots.mk', 'rest.mk', { content: 'X := $(shell touch harmed)\n' }),
  changed('make -f dots.mk', 'other.sh'),
  changed('make -f dots.mk rest', 'lib.sh'),
  changed('make -f dots.mk rest', 'sub/Makefile', { content: 'all:\n\ttouch harmed\n' }),
  changed('node -r ./r s.cjs', 'r.cjs', { content: NODE_HARM }),
  changed('node .', 'index.js', { content: NODE_HARM }),
  changed('python3 package', 'package/__main__.py', { content: "open('harmed', 'w')\n" }),
  changed('python3 -m package', 'package/__main__.py', { content: "open('harmed', 'w')\n" }),
  changed('python3 -m s', 's.py', { content: "open('harmed', 'w')\n" }),
  changed(`python3 -c "exec(open('s.py').read())"`, 's.py', { content: "open('harmed', 'w')\n" }),
  changed('NODE_OPTIONS="--require ./r.cjs" node s.cjs', 'r.cjs', { content: NODE_HARM }),
  changed('PATH=bin:$PATH tool', 'bin/tool', { content: '#!/bin/sh\ntouch harmed\n' }),
]

/** Lines that take commands from what they read: what they name counts, and `always` is not offered. */
const OPEN_ROWS: readonly Row[] = [
  changed('sh < s.sh'),
  changed('sh -s < s.sh'),
  changed('cat s.sh | sh'),
  changed('eval "$(cat s.sh)"'),
  changed('bash <(cat s.sh)'),
  changed('while read -r word; do $word; done < s.sh'),
  changed('find . -name s.sh -exec sh {} +'),
  changed('ls s.sh | xargs sh'),
  changed('xargs -a s.sh sh -c'),
  changed('tee >(sh) < s.sh >/dev/null; sleep 0.2'),
  changed("sh -c 'cat s.sh | sh'"),
]

/** Lines that name what they run only when they run: `always` is not offered. */
const UNNAMED_ROWS: readonly Row[] = [
  changed('for file in *.sh; do sh "$file"; done'),
  changed('sh $(cat list)'),
  changed('sh "$(cat list)"'),
  changed('sh `cat list`'),
  changed('bash -e $(head -n 1 list) argument'),
  changed('. ./$(cat list)'),
  changed('file=$(cat list); sh $file'),
  changed('timeout 9 sh $(cat list)'),
  changed('true && (sh $(cat list))'),
  changed('cat list | xargs sh'),
  changed('while read -r file; do sh "$file"; done < list'),
  changed('node $(echo cj | sed "s/^/s./;s/$/s/")', 's.cjs', { content: NODE_HARM }),
  changed('make -f $(cat makefiles)', 'Makefile', { content: 'all:\n\ttouch harmed\n' }),
  changed('cat makefiles | xargs -n1 make -f', 'Makefile', { content: 'all:\n\ttouch harmed\n' }),
  changed('make -C $(cat place)', 'sub/Makefile', { content: 'all:\n\ttouch harmed\n' }),
  changed('npm run -s $(cat name)', 'scripts/build.sh'),
  changed('cd $(cat place) && sh s.sh', 'sub/s.sh'),
  changed('cd "$(cat place)" && make', 'sub/Makefile', { content: 'all:\n\ttouch harmed\n' }),
]

const COUNT_AS_BEFORE: readonly Row[] = [
  changed('sh s.sh', 'other.sh'),
  changed('sh s.sh', 'notes.md'),
  changed('npm test', 'package.json', { content: manifest('true', { version: '2.0.0', dependencies: { a: '1' } }) }),
  changed('make all', 'other.sh'),
  changed('sh s.sh < notes.md', 'notes.md'),
  changed('cd sub && sh s.sh', 'sub/notes.md'),
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
  it.each(
    [...ROWS, ...OPEN_ROWS, changed('cp s.sh copy.sh && sh copy.sh')].map(row => [row.line, row.file, row] as const),
  )('%s, %s: nothing runs', async (_line, _file, row) => {
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

  it.each([...OPEN_ROWS, ...UNNAMED_ROWS].map(row => [row.line, row] as const))(
    '%s: is not offered, because the line does not name all that it runs',
    async (_line, row) => {
      const kit = await workspace.open({ approve })
      await kit.run('run', inputOf(row))
      workspace.write(row.file, row.content)
      expect((await kit.run('run', inputOf(row))).outcome).toMatchObject({ ok: false, error: { code: 'rejected' } })
      expect([questions.length, isHarmed(row)]).toEqual([2, false])
      expect(questions.join()).not.toContain('run exactly')
    },
  )

  it('counts for all of a long script', async () => {
    const long = (end: string) => `true\n${`${'#'.repeat(99)}\n`.repeat(50_000)}${end}\n`
    workspace.write('s.sh', long('#ouch harmed'))
    const kit = await workspace.open({ approve })
    await kit.run('run', { command: 'sh s.sh' })
    workspace.write('s.sh', long('touch harmed'))
    expect((await kit.run('run', { command: 'sh s.sh' })).outcome).toMatchObject({ ok: false })
    expect([questions.length, existsSync(join(workspace.path, 'harmed'))]).toEqual([2, false])
  })

  it('counts for a script by its whole path', async () => {
    const row = changed(`sh ${workspace.path}/s.sh`, 's.sh', { cwd: 'sub' })
    const kit = await workspace.open({ approve })
    await kit.run('run', inputOf(row))
    workspace.write(row.file, row.content)
    expect((await kit.run('run', inputOf(row))).outcome).toMatchObject({ ok: false })
    expect([questions.length, isHarmed(row)]).toEqual([2, false])
  })

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
