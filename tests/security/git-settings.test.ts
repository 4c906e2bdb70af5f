// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

type Call = (payload: string) => readonly [tool: string, input: Readonly<Record<string, unknown>>]

interface Row {
  readonly name: string
  /** What the user set up before, as a script in the work tree. `{ROOT}` stands for its path. */
  readonly setup: string
  readonly call: Call
  /** What the user runs afterwards. */
  readonly after: string
  /** The call lands without a question. */
  readonly passes?: true
}

/** A program that passes its input on, and leaves a mark. */
const program = (mark: string): string => `#!/bin/sh\ntouch '${mark}'\ncat 2>/dev/null\n`
/** A configuration that has git run a program. */
const configuration = (mark: string): string => `[core]\n\tfsmonitor = "touch '${mark}'; false"\n`

const write =
  (path: string, content: (mark: string) => string = program): Call =>
  mark => ['write', { path, content: content(mark) }]
const run =
  (path: string, content: (mark: string) => string = program): Call =>
  mark => [
    'run',
    {
      command: `mkdir -p "$(dirname '${path}')"; cat > '${path}' <<'END'\n${content(mark)}END\nchmod 755 '${path}'`,
    },
  ]
const tool = (path: string, body = 'cat'): string =>
  `mkdir -p "$(dirname '${path}')"; printf '#!/bin/sh\\n${body}\\n' > '${path}'; chmod 755 '${path}'\n`
/** A program at the other end of a connection that ends at once: one that waited for git would hold up both. */
const remote = (path: string): string => tool(path, 'exit 1')
const set = (key: string, value: string): string => `git config '${key}' '${value}'\n`
const attribute = (text: string): string =>
  `echo '${text}' > .gitattributes; git add .gitattributes; git commit -qm attributes\n`

const COMMIT = 'git commit --allow-empty -qm second'
const STATUS = 'git status'
const CHANGE = 'echo more >> a.txt; git diff; git add a.txt'

const ROWS: readonly Row[] = [
  {
    name: 'a directory of hooks',
    setup: set('core.hooksPath', 'hooks') + tool('hooks/pre-commit'),
    call: write('hooks/pre-commit'),
    after: COMMIT,
  },
  {
    name: 'a directory of hooks, spelled with a dot',
    setup: set('core.hooksPath', './tools/hooks') + tool('tools/hooks/pre-commit'),
    call: write('tools/hooks/pre-commit'),
    after: COMMIT,
  },
  {
    name: 'a directory of hooks, absolute',
    setup: set('core.hooksPath', '{ROOT}/hooks') + tool('hooks/pre-commit'),
    call: write('hooks/pre-commit'),
    after: COMMIT,
  },
  { name: 'a new hook', setup: set('core.hooksPath', 'hooks'), call: run('hooks/pre-commit'), after: COMMIT },
  {
    name: 'a new hook where git ignores it',
    setup: set('core.hooksPath', 'dist/hooks'),
    call: run('dist/hooks/pre-commit'),
    after: COMMIT,
  },
  {
    name: 'a new hook in a package',
    setup: set('core.hooksPath', 'node_modules/p/hooks'),
    call: run('node_modules/p/hooks/pre-commit'),
    after: COMMIT,
  },
  {
    name: 'a directory of hooks that is a link',
    setup: `${set('core.hooksPath', 'hooks')}mkdir real; ln -s real hooks`,
    call: run('real/pre-commit'),
    after: COMMIT,
  },
  {
    name: 'a hook that is a link',
    setup: `${tool('scripts/hook.sh')}ln -sf ../../scripts/hook.sh .git/hooks/pre-commit`,
    call: write('scripts/hook.sh'),
    after: COMMIT,
  },
  {
    name: 'a link in a directory of hooks',
    setup: `${set('core.hooksPath', 'hooks')}${tool('scripts/hook.sh')}mkdir hooks; ln -s ../scripts/hook.sh hooks/pre-commit`,
    call: write('scripts/hook.sh'),
    after: COMMIT,
  },
  {
    name: 'fsmonitor',
    setup: set('core.fsmonitor', 'tools/watch.sh') + tool('tools/watch.sh'),
    call: write('tools/watch.sh'),
    after: STATUS,
  },
  {
    name: 'fsmonitor, absolute',
    setup: set('core.fsmonitor', '{ROOT}/tools/watch.sh') + tool('tools/watch.sh'),
    call: write('tools/watch.sh'),
    after: STATUS,
  },
  {
    name: 'fsmonitor through a shell',
    setup: set('core.fsmonitor', 'sh tools/watch.sh') + tool('tools/watch.sh'),
    call: write('tools/watch.sh'),
    after: STATUS,
  },
  {
    name: 'fsmonitor, a file of the root',
    setup: set('core.fsmonitor', 'sh watch') + tool('watch'),
    call: write('watch'),
    after: STATUS,
  },
  {
    name: 'fsmonitor below the top of the work tree',
    setup: set('core.fsmonitor', '"$(git rev-parse --show-toplevel)/tools/watch.sh"') + tool('tools/watch.sh'),
    call: write('tools/watch.sh'),
    after: STATUS,
  },
  {
    name: 'fsmonitor that is not there yet',
    setup: set('core.fsmonitor', 'tools/watch.sh'),
    call: run('tools/watch.sh'),
    after: STATUS,
  },
  {
    name: 'fsmonitor by another name',
    setup: `${set('core.fsmonitor', 'tools/watch.sh')}${tool('tools/watch.sh')}ln -s tools t`,
    call: write('t/watch.sh'),
    after: STATUS,
  },
  {
    name: 'fsmonitor by a command',
    setup: set('core.fsmonitor', 'tools/watch.sh') + tool('tools/watch.sh'),
    call: run('tools/watch.sh'),
    after: STATUS,
  },
  {
    name: 'fsmonitor by a move',
    setup:
      set('core.fsmonitor', 'sh tools/watch.sh') + tool('tools/other.sh') + 'printf "touch {MARK}\\n" > tools/other.sh',
    call: () => ['move', { from: 'tools/other.sh', to: 'tools/watch.sh' }],
    after: STATUS,
  },
  {
    name: 'fsmonitor by an edit',
    setup: set('core.fsmonitor', 'tools/watch.sh') + tool('tools/watch.sh'),
    call: mark => ['edit', { path: 'tools/watch.sh', edits: [{ old: 'cat', new: `touch '${mark}'` }] }],
    after: STATUS,
  },
  {
    name: 'fsmonitor by a patch',
    setup: set('core.fsmonitor', 'tools/watch.sh') + tool('tools/watch.sh'),
    call: mark => [
      'patch',
      { diff: `--- a/tools/watch.sh\n+++ b/tools/watch.sh\n@@ -1,2 +1,2 @@\n #!/bin/sh\n-cat\n+touch '${mark}'\n` },
    ],
    after: STATUS,
  },
  {
    name: 'a setting in other letters, on the line of its section',
    setup: `${tool('tools/watch.sh')}printf '[CORE] FsMonitor = "tools/\\\\\\nwatch.sh" ; comment\\n' >> .git/config`,
    call: write('tools/watch.sh'),
    after: STATUS,
  },
  {
    name: 'a setting of the work tree alone',
    setup: `${set('extensions.worktreeConfig', 'true')}${tool('tools/watch.sh')}git config --worktree core.fsmonitor tools/watch.sh`,
    call: write('tools/watch.sh'),
    after: STATUS,
  },
  {
    name: 'an included file',
    setup: `${set('include.path', '../conf/git.inc')}mkdir conf; touch conf/git.inc`,
    call: write('conf/git.inc', configuration),
    after: STATUS,
  },
  {
    name: 'an included file that is not there yet',
    setup: set('include.path', '../conf/git.inc'),
    call: run('conf/git.inc', configuration),
    after: STATUS,
  },
  {
    name: 'a file included on a condition',
    setup: `${set('includeIf.gitdir:**.path', '../git.inc')}touch git.inc`,
    call: write('git.inc', configuration),
    after: STATUS,
  },
  {
    name: 'a file included by an included one',
    setup: `${set('include.path', '../conf/one')}mkdir conf; printf '[include]\\n\\tpath = two\\n' > conf/one; touch conf/two`,
    call: write('conf/two', configuration),
    after: STATUS,
  },
  {
    name: 'what an included file names',
    setup: `${set('include.path', '../conf/one')}mkdir conf; printf '[core]\\n\\tfsmonitor = tools/watch.sh\\n' > conf/one; ${tool('tools/watch.sh')}`,
    call: write('tools/watch.sh'),
    after: STATUS,
  },
  {
    name: 'attributes elsewhere',
    setup: `${set('core.attributesFile', 'conf/attributes')}${set('filter.x.clean', "touch '\\''{MARK}'\\''; cat")}mkdir conf; touch conf/attributes`,
    call: write('conf/attributes', () => '*.txt filter=x\n'),
    after: CHANGE,
  },
  {
    name: 'the cleaning of a filter',
    setup: set('filter.x.clean', 'tools/clean.sh %f') + tool('tools/clean.sh') + attribute('*.txt filter=x'),
    call: write('tools/clean.sh'),
    after: CHANGE,
  },
  {
    name: 'the smudging of a filter',
    setup: set('filter.x.smudge', 'sh tools/smudge.sh') + tool('tools/smudge.sh') + attribute('*.txt filter=x'),
    call: write('tools/smudge.sh'),
    after: 'rm a.txt; git checkout a.txt',
  },
  {
    name: 'the process of a filter',
    setup: set('filter.x.process', 'tools/filter.sh') + tool('tools/filter.sh') + attribute('*.txt filter=x'),
    call: write('tools/filter.sh'),
    after: CHANGE,
  },
  {
    name: 'a filter by make',
    setup: `${set('filter.x.clean', 'make -s tidy')}printf 'tidy:\\n\\t@cat\\n' > Makefile; ${attribute('*.txt filter=x')}`,
    call: write('Makefile', mark => `tidy:\n\t@touch '${mark}'; cat\n`),
    after: CHANGE,
  },
  {
    name: 'the text of a diff',
    setup: set('diff.x.textconv', 'sh tools/text.sh') + tool('tools/text.sh') + attribute('*.txt diff=x'),
    call: write('tools/text.sh'),
    after: CHANGE,
  },
  {
    name: 'the command of a diff',
    setup: set('diff.x.command', 'tools/diff.sh') + tool('tools/diff.sh') + attribute('*.txt diff=x'),
    call: write('tools/diff.sh'),
    after: CHANGE,
  },
  {
    name: 'another program for every diff',
    setup: set('diff.external', 'tools/diff.sh') + tool('tools/diff.sh'),
    call: write('tools/diff.sh'),
    after: CHANGE,
  },
  {
    name: 'the driver of a merge',
    setup: `${set('merge.x.driver', 'tools/merge.sh %A')}${tool('tools/merge.sh')}${attribute('*.txt merge=x')}git checkout -qb side; echo s > a.txt; git commit -qam side; git checkout -q main; echo m > a.txt; git commit -qam main`,
    call: write('tools/merge.sh'),
    after: 'git merge side -m merged',
  },
  {
    name: 'an alias',
    setup: set('alias.x', '!tools/a.sh') + tool('tools/a.sh'),
    call: write('tools/a.sh'),
    after: 'git x',
  },
  {
    name: 'an editor',
    setup: set('core.editor', 'tools/ed.sh') + tool('tools/ed.sh'),
    call: write('tools/ed.sh'),
    after: 'git commit --allow-empty',
  },
  {
    name: 'an editor of sequences',
    setup: set('sequence.editor', 'tools/ed.sh') + tool('tools/ed.sh') + 'git add -A; git commit -qm tools',
    call: write('tools/ed.sh'),
    after: 'git stash -q; git stash apply -q; git commit -qam x; git rebase -i --root',
  },
  {
    name: 'a way to other machines',
    setup: set('core.sshCommand', 'sh tools/ssh.sh') + remote('tools/ssh.sh'),
    call: write('tools/ssh.sh'),
    after: 'git ls-remote ssh://nowhere.invalid/x',
  },
  {
    name: 'the configuration of that way',
    setup: `${set('core.sshCommand', 'ssh -Fconf/ssh')}mkdir conf; touch conf/ssh`,
    call: write('conf/ssh', mark => `Host *\n\tProxyCommand touch '${mark}'\n`),
    after: 'git ls-remote ssh://nowhere.invalid/x',
  },
  {
    name: 'a helper for credentials',
    setup: set('credential.helper', '!sh tools/cred.sh') + tool('tools/cred.sh'),
    call: write('tools/cred.sh'),
    after: "printf 'protocol=https\\nhost=x.invalid\\n\\n' | git credential fill",
  },
  {
    name: 'a program that signs',
    setup: set('gpg.program', 'tools/gpg.sh') + tool('tools/gpg.sh'),
    call: write('tools/gpg.sh'),
    after: `${COMMIT} -S`,
  },
  {
    name: 'a template of repositories',
    setup: `${set('init.templateDir', 'template')}git config --global init.templateDir '{ROOT}/template'; ${tool('template/hooks/pre-commit')}`,
    call: write('template/hooks/pre-commit'),
    after:
      'git init -q ../new; cd ../new; git config user.name x; git config user.email x@example.com; git commit --allow-empty -m x',
  },
  {
    name: 'the other side of a fetch',
    setup: `git remote add o "$PWD"; ${set('remote.o.uploadpack', 'sh {ROOT}/tools/up.sh')}${remote('tools/up.sh')}`,
    call: write('tools/up.sh'),
    after: 'git fetch o',
  },
  {
    name: 'an address that runs a program',
    setup: `git remote add o 'ext::sh tools/up.sh'; ${set('protocol.ext.allow', 'always')}${remote('tools/up.sh')}`,
    call: write('tools/up.sh'),
    after: 'git fetch o',
  },
  {
    name: "the user's own hooks",
    setup: `git config --global core.hooksPath hooks; ${tool('hooks/pre-commit')}`,
    call: write('hooks/pre-commit'),
    after: COMMIT,
  },
  {
    name: "a link to the user's own configuration",
    setup: `mkdir conf; mv "$HOME/.gitconfig" conf/mine; ln -s "$PWD/conf/mine" "$HOME/.gitconfig"`,
    call: write('conf/mine', configuration),
    after: STATUS,
  },
  {
    name: 'a repository inside',
    setup: `git init -q sub; git -C sub config core.fsmonitor tools/watch.sh; ${tool('sub/tools/watch.sh')}`,
    call: write('sub/tools/watch.sh'),
    after: 'git -C sub status',
  },
  {
    name: 'a submodule',
    setup: `git init -q ../lib; git -C ../lib commit -qm x --allow-empty; git -c protocol.file.allow=always submodule --quiet add ../lib lib; git -C lib config core.fsmonitor ../tools/watch.sh; ${tool('tools/watch.sh')}`,
    call: write('tools/watch.sh'),
    after: STATUS,
  },
  {
    name: 'a repository that .git links to',
    setup: 'mv .git store; ln -s store .git',
    call: run('store/hooks/pre-commit'),
    after: COMMIT,
  },

  {
    name: 'a source beside',
    setup: set('core.fsmonitor', 'tools/watch.sh') + tool('tools/watch.sh'),
    call: write('tools/other.sh'),
    after: STATUS,
    passes: true,
  },
  { name: 'a source', setup: set('core.hooksPath', 'hooks'), call: write('src/a.js'), after: COMMIT, passes: true },
  {
    name: 'an output of a build',
    setup: set('core.hooksPath', 'hooks') + set('filter.x.clean', 'tools/clean.sh'),
    call: run('build/out.js'),
    after: STATUS,
    passes: true,
  },
  {
    name: 'a new package',
    setup: set('core.hooksPath', '.husky'),
    call: run('node_modules/p/index.js'),
    after: STATUS,
    passes: true,
  },
  {
    name: 'a directory that a program, branch or remote is named after',
    setup: `${set('core.editor', 'code --wait')}${set('core.pager', 'less -R')}${set('credential.helper', 'store')}git remote add src https://example.com/src/lib; ${set('branch.src.merge', 'refs/heads/src')}${set('user.name', 'src')}`,
    call: write('src/a.js'),
    after: 'git log',
    passes: true,
  },
  {
    name: 'what an alias names in passing',
    setup: set('alias.t', '!npm test') + set('alias.c', 'diff -- src/'),
    call: write('src/a.js'),
    after: STATUS,
    passes: true,
  },
  {
    name: 'the file of an alias for npm',
    setup: set('alias.t', '!npm test'),
    call: write('package.json', () => '{}\n'),
    after: STATUS,
    passes: true,
  },
  {
    name: 'what git ignores',
    setup: set('core.excludesFile', 'conf/ignored'),
    call: write('conf/ignored', () => '*.log\n'),
    after: STATUS,
    passes: true,
  },
]

/** A script of the user, in the work tree, with the user's own configuration of git. */
function asUser({ path, env }: TemporaryWorkspace, script: string): string {
  const { stdout, stderr } = spawnSync('sh', ['-c', script], {
    cwd: path,
    encoding: 'utf8',
    timeout: 30_000,
    env: {
      PATH: process.env['PATH'],
      HOME: env['HOME'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      TERM: 'dumb',
    },
  })
  return stdout + stderr
}

describe('what git runs or reads as configuration', () => {
  it.for([...ROWS])('asks before it changes: $name', async ({ setup, call, after, passes }) => {
    await using workspace = repository()
    const mark = join(workspace.base, 'mark')
    mkdirSync(join(workspace.base, 'home'))
    const user = '[user]\\n\\tname = Test\\n\\temail = test@example.com\\n'
    const script = setup.replaceAll('{ROOT}', workspace.path).replaceAll('{MARK}', mark)
    asUser(workspace, `printf '${user}' > "$HOME/.gitconfig"\n${script}`)
    const [name, input] = call(mark)
    const kit = await workspace.open({ permissions: ['exec', 'fs:write', 'fs:read'] })
    const path = typeof input['path'] === 'string' ? input['path'] : undefined
    if (path !== undefined && existsSync(join(workspace.path, path))) await kit.run('read', { path })
    const { outcome } = await kit.run(name, input)
    expect(outcome.ok ? 'ok' : outcome.error.code).toMatch(passes ? /^ok$/ : /^(rejected|denied)$/)
    const output = asUser(workspace, after)
    expect(existsSync(mark) ? output : 'nothing ran').toBe('nothing ran')
  })
})
