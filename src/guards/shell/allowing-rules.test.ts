import { describe, expect, it } from 'vitest'
import { allowingRules } from './allowing-rules.ts'
import { isReading } from './is-reading.ts'

describe('a line that only reads', () => {
  it.each([
    'ls -la src',
    'cat a.txt | grep -n x | sort | uniq -c | head -5',
    'git status --short && git log --oneline -5',
    'git diff HEAD~1 -- src; git blame a.txt; git ls-files',
    'cd src && rg -n TODO . 2>/dev/null',
    'find . -name "*.ts" -type f | wc -l',
    'sed -n 1,20p a.txt',
    'for f in a b; do cat "$f" >/dev/null; done 2>&1 || true',
    '[ -f a.txt ] && echo yes',
    'jq .version package.json; date +%s; printf "%s\\n" x',
  ])('%s', line => expect(isReading(line)).toBe(true))

  it.each([
    'echo x > a.txt',
    'cat a >> b',
    'sort -o a a',
    'sort a | tee b',
    'sed -i s/a/b/ a',
    "sed 'w out' a",
    'find . -delete',
    'find . -exec touch {} +',
    'git add a',
    'git branch new',
    'git diff --output=x',
    'git -c core.pager=x log',
    'npm test',
    './ls',
    'PATH=. ls',
    'ls; touch x',
    'ls $(touch x)',
    'env ls',
    'xargs rm < list',
    'uniq a b',
    'ls <(touch x)',
    'f() { touch x; }; f',
    'eval ls',
    'date -s 0',
    'awk \'{print > "x"}\' a',
  ])('is not %j', line => expect(isReading(line)).toBe(false))
})

describe('the rules that allow a line', () => {
  const rules = [
    { id: 'format', prefix: ['npm', 'run', 'format'] },
    { id: 'test', prefix: ['npm', 'test'] },
    { id: 'ls', prefix: ['ls'] },
  ]
  const idsOf = (line: string, given = rules) => allowingRules(line, given)?.map(found => found.map(({ id }) => id))

  it('are told for each command that may change files', () => {
    expect(idsOf('ls && npm run format src && npm test')).toEqual([['format'], ['test']])
    expect(idsOf('ls; make')).toEqual([[]])
    expect(idsOf('ls')).toEqual([])
    expect(idsOf('npm test', [{ id: 'all', prefix: [] }, ...rules])).toEqual([['all', 'test']])
    expect(idsOf('npm test "')).toBeUndefined()
  })
})
