// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { fakePerson } from '../../src/testing/fakes.ts'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import type { Toolkit } from '../../src/toolkit.ts'
import { needs } from '../needs.ts'
import { git, repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

const GONE = 'gone-5f1c'
const OLD = 'older-77d2'
const SECRET = new RegExp(`${GONE}|${OLD}`)

/** Each is run from a file, so that no line shows it, and prints the denied file unless it is stopped. */
const SHOWS: Readonly<Record<string, string>> = {
  'the last commit': 'git show HEAD',
  'all commits': 'git log -p',
  'an object': 'git cat-file -p BLOB',
  'an object in a batch': 'echo BLOB | git cat-file --batch',
  'a named file': 'git show HEAD~1:.env',
  'a file named from where it is': 'cd app; git show HEAD~1:./.env.test',
  'a difference': 'git diff HEAD~1',
  'a plumbing difference': 'git diff-tree -p HEAD~1 HEAD',
  'a search': 'git grep KEY HEAD~1',
  'an archive': 'git archive HEAD~1 | tar -xO',
  'a restored file': 'git checkout -q HEAD~1; cat .e*',
  'a restored tree': 'git restore --source=HEAD~1 . && head -9 .e*',
  'a reset': 'git reset -q --hard HEAD~1; grep -rh KEY .',
  'a reset of the index alone': 'git reset -q HEAD~1; git diff',
  patches: 'git format-patch -2 --root --stdout HEAD',
  'all objects': 'git fast-export --all',
  'another work tree': 'git worktree add -q /tmp/wt HEAD~1; cat /tmp/wt/.e*',
  'a copy': 'git clone -q . /tmp/copy && git -C /tmp/copy checkout -q HEAD~1 && cat /tmp/copy/.e*',
  'many starts': 'git rev-list --all | xargs -n1 git show',
  'an alias': "git -c alias.peek='log -p' peek",
  'an alias that is a script': "git -c alias.peek='!git log -p' peek",
  'an alias of the repository': 'git peek',
  'a corrected name': 'git -c help.autocorrect=immediate shwo HEAD',
  'the file of the subcommand': '$(git --exec-path)/git-show HEAD',
  'a link of another name': 'ln -s /usr/bin/git /tmp/g; /tmp/g show HEAD',
  'paths that are taken literally': "GIT_LITERAL_PATHSPECS=1 git log -p -- . ':!.env' ':!app'",
  'another work tree by a variable': 'mkdir /tmp/w; GIT_WORK_TREE=/tmp/w git checkout -q HEAD~1 -- .; cat /tmp/w/.e*',
  'a tag': 'git tag copy BLOB; git show copy -- src',
  notes: 'git notes add -C BLOB; git log',
  python: `python3 -c 'import subprocess; subprocess.run(["git", "sh"+"ow", "HEAD"])'`,
  perl: `perl -e 'system "git", "show", "HEAD"'`,
  node: `node -e 'console.log(require("child_process").execFileSync("git", ["show", "HEAD"]).toString())'`,
  make: `printf 'a:;@git show HEAD\\n' > /tmp/m; make -sf /tmp/m`,
  npm: `cd /tmp; printf '{"scripts":{"x":"git -C $W show HEAD"}}' > package.json; npm run -s x`,
}

/** What scripts do all the time; nothing of a denied file is in it. */
const QUIET: Readonly<Record<string, string>> = {
  'facts about commits':
    'git rev-parse HEAD; git describe --always --dirty; git log -1 --format=%h; git status --short',
  'names of files': 'git ls-files; git diff --name-only HEAD~1; git log --stat --oneline; git show --stat HEAD',
  'content that is not denied':
    'git log -p -- src; git show HEAD:src/a.ts; git diff HEAD~1 -- src/a.ts; cd src; git blame a.ts',
  'a commit': 'echo c > src/a.ts; git add -A; git commit -qm third; git log -1 --format=%s',
  'the stash': 'echo c > src/a.ts; git stash -q; git stash list; git diff --stat',
  'a push': 'git init -q --bare /tmp/r.git; git push -q /tmp/r.git main; git fetch -q /tmp/r.git main; git repack -qad',
  'a branch': 'git checkout -q -b feature; git branch -q -D feature 2>/dev/null; git tag v1; git for-each-ref',
}

const isHere = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some(place => existsSync(join(place, program)))
const missing = ['make', 'npm', 'python3', 'perl'].filter(program => !isHere(program))
const NAMES = Object.keys(SHOWS).filter(name => !missing.some(program => SHOWS[name]?.includes(`${program} `)))

/** `.env` was committed once and is deleted; `app/.env.test` was changed since and is there. */
function committed(): TemporaryWorkspace {
  const workspace = repository({ 'src/a.ts': 'a\n', '.env': `KEY=${GONE}\n`, 'app/.env.test': `KEY=${OLD}\n` })
  git(workspace, 'rm', '-q', '.env')
  workspace.write('app/.env.test', 'KEY=now-91aa\n')
  workspace.write('src/a.ts', 'b\n')
  git(workspace, 'commit', '-qam', 'second')
  return workspace
}

function deny({ base }: TemporaryWorkspace): void {
  mkdirSync(join(base, 'config'), { recursive: true })
  const rules = [{ action: 'read', path: '**/.env*', verdict: 'deny' }]
  writeFileSync(join(base, 'config/config.json'), JSON.stringify({ policy: { rules } }))
}

/** All of them in one command, each in a copy of the workspace of its own: a command takes longer to start than they run. */
async function shownBy(free: Toolkit): Promise<ReadonlyMap<string, string>> {
  const command = `for script in .git/scripts/*; do
    rm -rf /tmp/each; cp -a . /tmp/each
    echo "--- \${script##*/}"; (cd /tmp/each; bash "$script" 2>&1 </dev/null) | grep -aoE '${SECRET.source}' | sort -u
  done`
  const { outcome } = await free.run('run', { command }, { dryRun: true })
  if (!outcome.ok) throw outcome.error
  const { stdout } = outcome.data as { stdout: string }
  return new Map(
    stdout
      .split(/^--- /m)
      .map(part => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)] as const),
  )
}

describe('a denied file in the history, shown by a program that the line does not show', () => {
  let workspace: TemporaryWorkspace
  let free: Toolkit
  let kit: Toolkit
  let blob: string
  /** What each script shows of the denied file without the rule. */
  let shown: ReadonlyMap<string, string>

  beforeAll(async () => {
    workspace = committed()
    blob = git(workspace, 'rev-parse', 'HEAD~1:.env')
    for (const [name, script] of Object.entries({ ...SHOWS, ...QUIET }))
      workspace.write(`.git/scripts/${name}`, `export W=$PWD\n${script.replaceAll('BLOB', blob)}\n`)
    git(workspace, 'config', 'alias.peek', 'log -p')
    free = await workspace.open({ permissions: ['exec', 'fs:write'] })
    shown = await shownBy(free)
    deny(workspace)
    kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
  })
  afterAll(() => workspace[Symbol.asyncDispose]())

  const printed = async (toolkit: Toolkit, name: string) => {
    const { outcome } = await toolkit.run('run', { command: `bash '.git/scripts/${name}'` }, { dryRun: true })
    if (!outcome.ok) throw outcome.error
    const { stdout, stderr } = outcome.data as { stdout: string; stderr: string }
    return { text: stdout + stderr, warnings: outcome.meta.warnings ?? [] }
  }

  it.each(NAMES)('is not shown: %s', async name => {
    expect(shown.get(name), 'without the rule it is').toMatch(SECRET)
    const { text, warnings } = await printed(kit, name)
    expect(text).not.toMatch(SECRET)
    expect(warnings.join('\n')).toMatch(/did not start: it (is denied|needs approval).*started by bash/)
  })

  it.each(Object.keys(QUIET))('is no reason to refuse %s', async name => {
    const { text, warnings } = await printed(kit, name)
    expect(text).not.toMatch(SECRET)
    expect(text).not.toContain('toolwright:')
    expect(warnings.filter(warning => warning.includes('did not start'))).toEqual([])
    expect(text).toBe((await printed(free, name)).text)
  })

  it('is shown where a person allows it, who is asked once', async () => {
    const questions: string[] = []
    const asked = await workspace.open({
      permissions: ['exec', 'fs:write'],
      approve: question => {
        questions.push(JSON.stringify(question))
        return fakePerson('yes')(question)
      },
    })
    const { text } = await printed(asked, 'many starts')
    expect(text).toMatch(SECRET)
    expect(questions).toHaveLength(1)
    expect(questions[0]).toMatch(/git show .*started by bash/)
  })

  it('costs nothing where the history has no such file', async () => {
    await using other = repository({ 'src/a.ts': 'a\n' })
    deny(other)
    const opened = await other.open({ permissions: ['exec', 'fs:write'] })
    const { outcome } = await opened.run('run', {
      command: 'bash -c "head -c 40 $(command -v git) | grep -c toolwright"',
    })
    expect(outcome).toMatchObject({ ok: true, data: { stdout: '0\n' } })
  })
})
