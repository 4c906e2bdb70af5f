import { describe, expect, it } from 'vitest'
import { loadBothReaders } from '../../../tests/command-parsers.ts'
import { isReading } from './is-reading.ts'
import { judgeCommand } from './judge-command.ts'

await loadBothReaders()

const ALLOWED =
  'xargs,git ls-files,git diff,git grep,git branch,wc,find,sort,uniq,grep,rg,ls,basename,cat,head,tail,echo,stat,sed -n,jq,make,npm test,node'
const rules = ALLOWED.split(',').map(command => ({
  id: command,
  verdict: 'allow' as const,
  prefix: command.split(' '),
}))
const judged = (line: string) => judgeCommand(line, { rules, fallback: 'ask' })

describe('xargs with a rule for it and for what it starts', () => {
  it.each([
    "git ls-files '*.ts' | xargs wc -l",
    "find src -name '*.ts' | xargs wc -l | sort -n",
    "find src -name '*.ts' -print0 | xargs -0 grep -l foo",
    "find src -name '*.ts' | xargs grep -n foo",
    "find . -name '*.ts' -not -path './node_modules/*' | xargs wc -l | tail -1",
    'ls | xargs -n 1 basename',
    'ls -1 src | xargs -I{} echo {}',
    String.raw`git ls-files | grep '\.ts$' | xargs wc -l`,
    'git ls-files | grep -v test | head -20 | xargs cat',
    'grep -rl foo src | xargs wc -l',
    'rg -l foo | xargs wc -l',
    'git diff --name-only | xargs wc -l',
    'find . -name package.json -print0 | xargs -0 jq .name',
    'find . -type f 2>/dev/null | xargs -r -P4 stat',
    "find . -name '*.ts' | xargs -I{} grep -c x {}",
    'find . -print0 | xargs -0 sed -n 1p',
    'ls | xargs sed -n -e 1p --',
    'ls | xargs sort --',
    'rg -l0 foo | xargs -0 grep -n x',
    "rg --files -g '*.ts' | xargs wc -l",
    'git grep -l foo -- src | xargs head -3',
    'ls *.ts | xargs cat',
    "find . -name '*.ts' | head -5 | xargs -n1 head -2",
    'find . | CI=1 xargs cat',
    'for f in a b; do ls | xargs cat; done',
    'ls | xargs -I{} cat -- {}',
    'ls | xargs -i cat {}',
    'ls | xargs -n1 -- wc -l',
  ])('is silent, and only reads: %s', line => {
    expect(judged(line).verdict).toBe('allow')
    expect(isReading(line)).toBe(true)
  })

  it.each([
    "find . -name '*.json' | xargs sed -n 1p",
    'ls | xargs sed -n 1p',
    'find . -print0 | xargs -0 sed -n',
    'ls | xargs rm',
    'ls | xargs',
    'xargs wc -l',
    'xargs wc -l < list',
    'ls | xargs wc -l < list',
    'cat list | xargs cat',
    'echo /etc/passwd | xargs cat',
    'ls | xargs -a list cat',
    "find . -printf '/etc/passwd' | xargs cat",
    'find . -ls | xargs cat',
    'git ls-files --format=/etc/passwd | xargs cat',
    'grep -l --label=/etc/passwd x - | xargs cat',
    'ls | xargs -I% cat /etc/%',
    'ls | xargs -I% % x',
    'ls | xargs -d / cat',
    'ls | xargs $x wc -l',
    'ls | xargs -n $x wc',
    'ls | xargs "$x"',
    'ls | xargs uniq',
    'ls | xargs sort',
    'ls | xargs find',
    'ls | xargs make',
    'ls | xargs npm test',
    'ls | xargs xargs wc',
    'ls | xargs node',
    'ls | xargs git branch',
    'ls | xargs git ls-files',
    'ls | xargs find . -name',
    'ls | xargs jq',
    'ls | xargs cat /etc/passwd',
    'ls | xargs --process-slot-var=PATH wc',
    'ls | xargs env wc',
    "ls | xargs sh -c 'id'",
    'ls nosuch 2>&1 | xargs cat',
    "find 'x /etc/passwd y' |& xargs cat",
    'ls -l | xargs cat',
    'ls | tail -c 5 | xargs cat',
    'ls | grep -o x | xargs cat',
    'ls | sort -o f | xargs cat',
    'ls | head -1 list | xargs cat',
    'ls() { echo /etc/passwd; }; ls | xargs cat',
    'if true; then ls() { echo /etc/passwd; }; fi; ls | xargs cat',
    'if true; then xargs() { id; }; fi; ls | xargs cat',
    '{ ls; cat list; } | xargs cat',
    '(ls; cat list) | xargs cat',
    'ls | { xargs cat; }',
    'ls | { cat list | xargs cat; }',
    'f() { xargs cat; }; ls | f',
    'ls | f() { xargs cat; }',
    'grep -e -l list | xargs cat',
    'git diff -- --name-only | xargs cat',
    'git diff --name-only -p | xargs cat',
    'git grep -e -l x | xargs cat',
    'rg -l --json x | xargs cat',
    'rg -e -l x | xargs cat',
    'ls | head 5 | xargs cat',
    "x='a list'; ls | grep $x | xargs cat",
    String.raw`x='a list'; ls | grep "$x" | xargs cat`,
    'ls | grep -- x | xargs cat',
    'CI=1 find . | xargs cat',
    'ls | xargs -I{} sed -n 1p {}',
    'ls | xargs --repl cat',
    'ls | xargs -E wc cat',
    "ls | xargs -I{} cat /etc/'{'}",
    "ls | xargs -I{} sed -n '{'} a",
    'git ls-files | xargs -I% grep -f../% x',
  ])('asks: %s', line => {
    expect(judged(line).verdict).toBe('ask')
  })

  it('says what stands in the way', () => {
    expect(judged('ls | xargs rm').why).toMatch(/^xargs runs a command that no rule names/)
    expect(judged('cat list | xargs wc -l').why).toMatch(
      /^xargs gives wc words that are not known to be names of files/,
    )
    expect(judged('ls | xargs make').why).toMatch(/^xargs gives make words from its input/)
  })

  it('needs a rule for xargs too', () => {
    const wc = rules.filter(({ id }) => id !== 'xargs')
    expect(judgeCommand('ls | xargs wc -l', { rules: wc, fallback: 'ask' }).why).toMatch(/^no rule/)
  })
})
