import { describe, expect, it } from 'vitest'
import type { GitHistory } from '../../kernel/git-history.ts'
import { decide } from '../policy/decide.ts'
import { compileRules } from '../policy/rule.ts'
import { loadBothReaders } from '../../../tests/command-parsers.ts'

await loadBothReaders()

const policy = {
  rules: compileRules([
    { id: 'exec', verdict: 'allow', source: 'user', action: 'exec', command: '*' },
    { id: 'env', verdict: 'deny', source: 'user', action: 'read', path: '**/.env*' },
    { id: 'keys', verdict: 'deny', source: 'user', action: 'read', path: 'secrets/**' },
  ]),
  defaults: {},
} as const
const verdictOf = (line: string): string => decide(policy, [{ action: 'exec', resource: line }]).verdict

describe('a file in the history that may not be read', () => {
  it.each([
    'git show HEAD:.env',
    'git show :0:.env',
    'git show HEAD:a/../.env',
    'git show HEAD:./.env',
    'git-show HEAD:.env',
    'git log -L1,1:.env',
    'git log -L 1,1:.env',
    'git log -p --follow .env',
    'git diff-tree -p --root HEAD -- .env',
    'git diff-index -p HEAD .env',
    'git diff-files -p .env',
    'git cat-file --batch <<< HEAD:.env',
    'echo HEAD:.env | git cat-file --batch',
    'git cat-file -p $(git rev-parse HEAD:.env)',
    "git ls-tree HEAD .env | awk '{print $3}' | xargs git cat-file -p",
    'git checkout-index --temp .env',
    "git show HEAD -- '.e*'",
    'git show HEAD -- .e*',
    "git show HEAD -- '*.env'",
    "git show HEAD -- ':(glob)**/.env'",
    'git show HEAD -- :/.env',
    "git show HEAD -- '[.]env'",
    "git diff -- 'secrets/*'",
    'git diff secrets',
    'git log -p -- /home/x/project/.env',
    'git -C secrets show HEAD:./key',
    'cd secrets && git show HEAD:./key',
    'git fast-export HEAD -- .env',
    'git archive HEAD .env',
    'git stash show -p -- .env',
    'echo .env | xargs -I{} git show HEAD:{}',
    'echo HEAD:.env | xargs git show',
    'git checkout HEAD --pathspec-from-file=- <<< .env',
    "git -c alias.x='show HEAD:.env' x",
  ])('%s is denied', line => {
    expect(verdictOf(line)).toBe('deny')
  })

  it.each([
    'git worktree add wt; cat wt/.env',
    'git clone . copy',
    'git archive HEAD | tar xO .env',
    'git cat-file --batch < names',
    'git cat-file --batch-all-objects --batch',
    'git fast-export HEAD',
    'git checkout-index -a --prefix=x/',
    'git checkout HEAD --pathspec-from-file=names',
  ])('%s is asked about: it brings back files without naming them', line => {
    expect(verdictOf(line)).toBe('ask')
  })

  it.each([
    'git show HEAD',
    'git show HEAD:src/a.ts',
    'git log --oneline -5',
    "git diff -- . ':!.env'",
    "git diff -- '*.ts'",
    "git diff -- ':(exclude).env' src",
    'git add .env.sample.txt src',
    'git rm --cached .env',
    'git ls-files --error-unmatch .env',
    "git log --grep '.env'",
    'git log --format=%s',
    'git worktree list',
    'git clone https://example.com/x.git',
    'git cat-file -t HEAD',
    'git stash',
  ])('%s is allowed', line => {
    expect(verdictOf(line)).toBe('allow')
  })

  it('is asked about behind more than can be followed', () => {
    const settings = Array.from({ length: 7 }, () => 'eval').join(' ')
    expect(verdictOf(`${settings} eval git show HEAD:.env`)).not.toBe('allow')
    expect(verdictOf(`x=a; ${'x=$x$x;'.repeat(20)} git show HEAD:$x.env`)).not.toBe('allow')
    expect(verdictOf(`git show HEAD:/${'a/'.repeat(30)}.env`)).toBe('deny')
  })

  it('is no reason to ask where nothing is denied', () => {
    const open = { ...policy, rules: compileRules([{ id: 'x', verdict: 'allow', source: 'user', action: 'exec' }]) }
    expect(decide(open, [{ action: 'exec', resource: 'git worktree add wt' }]).verdict).toBe('allow')
  })
})

describe('content of the history that a line does not name', () => {
  const history = {
    denied: (): readonly string[] => ['.env', 'app/.env.test'],
    isHidden: (path: string) => path !== '.env',
    has: (_what: string) => false,
  }
  const ask = (line: string, known: GitHistory = history) =>
    decide({ ...policy, history: known }, [{ action: 'exec', resource: line }]).verdict

  it.each([
    'git show HEAD',
    'git show',
    'git show 1a2b3c4',
    'git show --stat 1a2b3c4',
    'git show -s --word-diff HEAD',
    'git show :/fix',
    'git log -p',
    'git log -1 -u',
    'git log --patch --oneline',
    'git log --stat -p',
    'git log -U0',
    'git log --cc',
    'git log -L1,2:src/a.ts',
    'git log -p --follow -- src/a.ts',
    'git whatchanged -p',
    'git reflog -p',
    'git diff HEAD~1',
    'git diff HEAD~3 HEAD',
    'git diff main...other',
    'git diff --cached',
    'git diff HEAD -- .',
    'git diff HEAD -- . ":!app"',
    'git diff HEAD -- ":!.env"',
    'cd app; git diff HEAD -- . ":!.env" ":!app"',
    'git -C app diff HEAD -- ":!.env" ":!app"',
    'env -C app git diff HEAD -- ":!.env" ":!app"',
    'git reset -q HEAD~3; git diff',
    'git cat-file -p 1a2b3c4',
    'git cat-file blob HEAD~1^{tree}',
    'git rev-list --objects --all | git cat-file --batch',
    'git log -S secret --oneline',
    'git log -Ssecret --format=%h',
    'git log --oneline -G ^KEY=a',
    'git log -G^KEY=a --stat',
    'git log --pickaxe-regex -S k.y',
    'git log -L1,2:key',
    'git whatchanged -Sa',
    'git reflog -Ga',
    'git stash list -Sa',
    'git show -s -Sa HEAD',
    'git diff --quiet -Ga HEAD~2 HEAD',
    'git diff --stat -Sa HEAD~2 HEAD',
    'git diff-tree --name-only -r -Sa HEAD~2 HEAD',
    'git diff-index --cached -Ga HEAD',
    'git shortlog -Sa',
    'git rev-list -Ga HEAD',
    'git grep -q KEY HEAD~2',
    'git grep -c KEY HEAD~2',
    'git grep -l KEY HEAD~2',
    'git grep -qe KEY --cached',
    'git apply --cached --check guess.patch',
    'git apply --index guess.patch',
    'git apply -3 guess.patch',
    'git blame -C -C -C src/a.ts',
    'git annotate -CC -- src/a.ts',
    'git grep KEY HEAD~2',
    'git grep -e KEY HEAD~2 -- .',
    'git grep --cached KEY',
    'git archive HEAD',
    'git archive --format=tar HEAD app',
    'git checkout HEAD~5',
    'git checkout HEAD~5 -- .',
    'git switch other',
    'git restore --source=HEAD~5 .',
    'git restore -s HEAD~5 -- .',
    'git stash show -p',
    'git stash pop',
    'git reset --hard HEAD~5',
    'git merge other',
    'git rebase main',
    'git cherry-pick 1a2b3c4',
    'git revert HEAD',
    'git read-tree -u -m HEAD~5',
    'git bundle create x.bundle --all',
    'git format-patch -5 --stdout',
    'git fast-export --all',
    'git range-diff a b c',
    'git diff-tree -p HEAD',
    'git status -v',
    'git commit --dry-run -v',
    'git reset -p HEAD~3',
    'git worktree add ../x HEAD~3',
    'git --work-tree=/tmp/x checkout -- app',
    'GIT_WORK_TREE=/tmp/x git checkout -- app',
    'git clone . /tmp/x',
    'git fsck --lost-found',
    'git pack-objects --all --stdout',
    'git merge-tree main other',
    'git lp',
    "git -c alias.x='show HEAD' x",
    'echo HEAD | xargs git show',
    'for c in $(git rev-list --all); do git show $c; done',
    'bash -c "git show HEAD"',
    'git --literal-pathspecs diff HEAD -- "*.ts"',
    'git show 1a2b3c4 -- src',
    'git show HEAD 1a2b3c4 -- src',
    'git show 1a2b3c4^{} -- src',
    'git show v1-2-g1a2b3c4 -- src',
    'git show HEAD..1a2b3c4 -- src',
    'git show -s v1-2-g1a2b3c4',
    'git show --stat 1a2b3c4^{}',
    'git show --stdin -- src',
    'git diff 1a2b3c4 -- src/a.ts',
    'git diff 1a2b3c4..5d6e7f8 -- src/a.ts',
    'git diff HEAD~1:app HEAD:app -- x',
    'git diff-tree -p 1a2b3c4 5d6e7f8 -- key',
    'git grep KEY 1a2b3c4 -- key',
    'git archive 1a2b3c4 key',
    'git archive 1a2b3c4 -- key',
    'git checkout 1a2b3c4 -- key',
    'git restore --source=1a2b3c4 key',
    'git restore -s 1a2b3c4 -- key',
    'git tag x 1a2b3c4; git show x -- src',
    'git update-ref refs/tags/x 1a2b3c4; git show x -- src',
    'echo 1a2b3c4 > .git/refs/tags/x; git show x -- src',
    'git log --full-diff -p -- a.txt',
    'git show --full-diff HEAD~2 -- a.txt',
    'git log -p --full-diff HEAD~9..HEAD -- src',
    'git log -p --stdin -- src',
    "git for-each-ref --format='%(raw)'",
    "git for-each-ref --format '%(refname) %(*raw)'",
    "git tag -l --format='%(raw)'",
    "git branch --format='%(raw)'",
    "git for-each-ref --format='%(if)%(raw)%(then)x%(end)' refs/tags",
    'git notes',
    'git notes list',
    'git notes show HEAD',
    'git notes --ref=x show',
    'git notes add -C 1a2b3c4',
    'git config --blob=1a2b3c4 --list',
    'git replace 1a2b3c4 5d6e7f8',
    'git update-index --cacheinfo 100644,1a2b3c4,src/x; git show :src/x',
    'git mktree < list',
  ])('is asked about: %s', line => expect(ask(line)).toBe('ask'))

  it.each([
    'git status --short',
    'git diff',
    'git diff --stat HEAD~3',
    'git diff --name-only main',
    'git diff -- src',
    'git diff HEAD -- src',
    "git diff HEAD -- '*.ts'",
    'git diff HEAD -- . ":!.env" ":!app"',
    'git diff HEAD -- ":!.env" ":!app/.env.test" | head -50',
    "git diff HEAD -- . ':(exclude)*.env' ':!*.env.*'",
    "git show HEAD -- ':(top,exclude).env' ':(top,exclude)app'",
    'git show HEAD:src/a.ts',
    'git show --stat HEAD',
    'git show -s --format=%B HEAD',
    'git log --oneline -5',
    'git log --graph --all --format="%h %s"',
    'git log --stat -- src',
    'git log -S secret --oneline -- src',
    'git log -n 3 --grep secret',
    'git apply --check fix.patch',
    'git blame -w src/a.ts',
    'git shortlog -sn',
    'git rev-list --count HEAD',
    'git grep -l KEY',
    'git grep -c KEY HEAD -- src',
    'git log -p -- src/a.ts',
    'git add -A && git commit -qm "a message -p"',
    'git commit -qam x',
    'git stash',
    'git stash list',
    'git branch -a; git tag; git remote -v',
    'git checkout -b feature',
    'git switch -c feature',
    'git checkout -- src/a.ts',
    'git restore src/a.ts',
    'git restore --staged .',
    'git reset --soft HEAD~1',
    'git reset HEAD src',
    'git grep KEY',
    'git grep -n KEY -- src',
    'git blame src/a.ts',
    'git ls-files; git ls-tree -r HEAD; git rev-parse HEAD',
    'git cat-file -t HEAD',
    'git cat-file -p HEAD:src/a.ts',
    'git archive HEAD src',
    'git worktree list',
    'git push; git fetch origin',
    'git clone https://example.com/x.git',
    'git show HEAD~2 -- src',
    'git show HEAD^ HEAD^2~3 -- src',
    'git show main -- src',
    'git show 1a2b3c4^{commit} -- src',
    'git show HEAD~3..HEAD -- src',
    'git show --stat v1.2',
    'git diff main -- src',
    'git diff main...HEAD -- src',
    'git diff origin/main..feature -- src',
    'git log -p 1a2b3c4 -- src',
    'git log -p main..1a2b3c4 -- src',
    'git checkout main -- src/a.ts',
    'git restore --source=HEAD~5 src/a.ts',
    'git grep -n deadbeef HEAD -- src',
    'git log',
    'git log -5 --notes',
    "git for-each-ref --format='%(refname) %(objectname)'",
    "git tag -l --format='%(contents:subject)'",
    'git notes add -m reviewed',
    'git notes remove HEAD',
    'git replace -l',
    'git update-index --assume-unchanged src/a.ts',
  ])('is not meant by: %s', line => expect(ask(line)).toBe('allow'))

  it('is asked about where a name may be that of a file, or notes are kept', () => {
    const having = (what: string): GitHistory => ({ ...history, has: one => one === what })
    const named = [
      'git show v1 -- src',
      'git show --stat v1',
      'git show -s v1',
      'git show --tags -- src',
      'git show --all -- src',
      'git diff v1 -- src/a.ts',
      'git checkout v1 -- key',
    ]
    expect(named.filter(line => ask(line, having('other references')) !== 'ask')).toEqual([])
    const noted = ['git log', 'git log -3 --stat', 'git show -s', 'git log --oneline --notes', 'git log --format=%N']
    expect(noted.filter(line => ask(line, having('notes')) !== 'ask')).toEqual([])
    const silent = ['git log --oneline', 'git log --no-notes', 'git log --format=%s']
    expect(silent.filter(line => ask(line, having('notes')) !== 'allow')).toEqual([])
    const certain = ['git show HEAD -- src', 'git log -p v1 -- src', 'git show -s HEAD~1', 'git diff HEAD -- src']
    expect(certain.filter(line => ask(line, having('other references')) !== 'allow')).toEqual([])
  })

  it('is not left out by paths where the command starts in another directory', () => {
    const resource = 'git diff HEAD -- . ":!.env" ":!app"'
    expect(decide({ ...policy, history }, [{ action: 'exec', resource, cwd: 'app' }]).verdict).toBe('ask')
  })

  it('is denied by the name that it has from the directory where the command starts', () => {
    const rules = compileRules([
      { id: 'plain', verdict: 'deny', source: 'user', action: 'read', path: 'app/plain.txt' },
    ])
    const kept = { rules, defaults: { exec: 'allow' }, history } as const
    const judged = (resource: string, cwd?: string): string =>
      decide(kept, [{ action: 'exec', resource, ...(cwd !== undefined && { cwd }) }]).verdict
    expect(judged('git show HEAD:./plain.txt', 'app')).toBe('deny')
    expect(judged('git show HEAD:../app/plain.txt', 'src')).toBe('deny')
    expect(judged('git show HEAD:./plain.txt', 'src')).toBe('allow')
    expect(judged('git show HEAD:./plain.txt')).toBe('allow')
  })

  it('is asked about where the history cannot be known, and silent where nothing denied is in it', () => {
    const unknown = { denied: () => undefined, isHidden: () => false, has: () => true }
    const empty = { denied: () => [], isHidden: () => false, has: () => true }
    expect(['git show HEAD', 'git log --oneline', 'ls'].map(line => ask(line, unknown))).toEqual([
      'ask',
      'allow',
      'allow',
    ])
    for (const line of ['git show HEAD', 'git archive HEAD', 'git worktree add wt', 'git checkout main'])
      expect([line, decide({ ...policy, history: empty }, [{ action: 'exec', resource: line }]).verdict]).toEqual([
        line,
        'allow',
      ])
  })

  it('is restored only where it is not hidden from the command', () => {
    const hidden = { denied: () => ['.env'], isHidden: () => true, has: () => false }
    const verdicts = ['git checkout main', 'git stash pop', 'git show HEAD', 'git --work-tree=/tmp/x checkout .']
    expect(
      verdicts.map(line => decide({ ...policy, history: hidden }, [{ action: 'exec', resource: line }]).verdict),
    ).toEqual(['allow', 'allow', 'ask', 'ask'])
  })
})
