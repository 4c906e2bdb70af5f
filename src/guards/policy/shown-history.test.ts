import { describe, expect, it } from 'vitest'
import { decide } from './decide.ts'
import { compileRules } from './rule.ts'

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

  it('is no reason to ask where nothing is denied', () => {
    const open = { ...policy, rules: compileRules([{ id: 'x', verdict: 'allow', source: 'user', action: 'exec' }]) }
    expect(decide(open, [{ action: 'exec', resource: 'git worktree add wt' }]).verdict).toBe('allow')
  })
})
