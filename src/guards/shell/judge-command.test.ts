import { describe, expect, it } from 'vitest'
import { judgeCommand, type CommandRule } from './judge-command.ts'
import { plainWords } from './plain-words.ts'
import { processorMs } from '../../../tests/processor-time.ts'

const allow = (command: string): CommandRule => ({
  id: command,
  verdict: 'allow',
  prefix: plainWords(command) ?? [],
})
const verdictOf = (command: string, ...rules: readonly string[]): string =>
  judgeCommand(command, { rules: rules.map(allow), fallback: 'ask' }).verdict

describe('judgeCommand', () => {
  it.each([
    ['sed -i', "sed -i 's/a/b/' f", 'allow'],
    ['sed -i', "sed -i 's/a/b/e' f", 'ask'],
    ['sort -o out', 'sort -o out a', 'allow'],
    ['sort -o', 'sort --output=x a', 'ask'],
    ['find . -delete', 'find . -delete', 'allow'],
    ['find . -delete', 'find . -delete -exec id ;', 'ask'],
    ['git --no-pager log', 'git --no-pager log -3', 'allow'],
    ['git --no-pager log', 'git log -3', 'allow'],
    ['git --no-pager log', 'git --no-pager log --output=x', 'ask'],
    ['git -C sub log', 'git -C sub log --oneline', 'allow'],
    ['git -C sub log', 'git -C sub log --output=x', 'ask'],
    ['git -C sub log', 'git -C other log', 'ask'],
    ['git branch -D', 'git branch -D x', 'ask'],
    ['git', 'git', 'ask'],
    ['git', 'git --version', 'allow'],
    ['timeout', 'timeout 5 ls', 'ask'],
    ['timeout 5 ls', 'timeout 5 ls -l', 'allow'],
    ['timeout 5 ls', 'timeout 5 ls $x', 'ask'],
    ['timeout 5 find', 'timeout 5 find . -delete', 'ask'],
    ['bash', 'bash x.sh', 'ask'],
    ['bash', 'bash', 'ask'],
    ['bash x.sh', 'bash x.sh --fast', 'allow'],
    ['bash -c', "bash -c 'id'", 'ask'],
    ["bash -c 'ls'", "bash -c 'ls'", 'allow'],
    ['python3 x.py', 'python3 x.py 1', 'allow'],
    ['python3', 'python3 -c 1', 'ask'],
    ['eval', 'eval ls', 'ask'],
    ['cd', 'cd src', 'allow'],
    ['cd', 'cd', 'ask'],
    ['cd', 'cd ..', 'ask'],
    ['make test', 'make test -j4', 'allow'],
    ['make test', 'make test src/*.c', 'allow'],
    ['make test', 'make test *', 'ask'],
    ['make test', 'make test --eval=x', 'ask'],
    ['echo "a b"', "echo 'a b' c", 'allow'],
    ['./run.sh', './run.sh', 'allow'],
    ['run.sh', './run.sh', 'ask'],
    ['awk', "awk '{print $1}' f", 'allow'],
    ['awk', "awk 'BEGIN{system(1)}'", 'ask'],
  ])('SG-16: with %s allowed, %s is %s', (rule, command, verdict) => {
    expect(verdictOf(command, rule)).toBe(verdict)
  })

  it('says what keeps a line from being allowed', () => {
    const why = (command: string) => judgeCommand(command, { rules: [allow('ls'), allow('sed')], fallback: 'ask' })
    expect(why('ls; X=1 ls')).toMatchObject({ part: 'X=1 ls', why: expect.stringContaining('sets the variable X') })
    expect(why('ls > f')).toMatchObject({ why: expect.stringContaining('it writes to f') })
    expect(why('ls ../x')).toMatchObject({ why: expect.stringContaining("'../x' is outside the workspace") })
    expect(why('ls "')).toMatchObject({ why: expect.stringContaining('a quote is not closed') })
    expect(why(': () { ls; }')).toMatchObject({ why: expect.stringContaining('a function') })
  })

  it('asks where there is no command, whatever is allowed', () => {
    for (const line of ['', ' ', '\n', '# ls', '</dev/null', '>/dev/null'])
      expect(judgeCommand(line, { rules: [{ ...allow('ls'), prefix: [] }], fallback: 'allow' }).verdict).toBe('ask')
    expect(judgeCommand('', { rules: [], fallback: 'deny' }).verdict).toBe('deny')
  })

  it('does not ask about what starts nothing', () => {
    const everything = { rules: [{ ...allow('ls'), prefix: [] }], fallback: 'ask' as const }
    for (const line of ['exit 7', 'x=1', 'X=1', 'exit', 'PATH=x; exit 1'])
      expect(judgeCommand(line, everything).verdict).toBe('allow')
    for (const line of ['exit 7', 'x=1', 'x=1; ls', 'ls || exit 1', 'n=3 m="$n"; ls'])
      expect(verdictOf(line, 'ls')).toBe('allow')
    for (const line of [
      'X=1',
      'PATH=x; ls',
      'x=1 ls',
      'x=$(id)',
      'http_proxy=x; ls',
      'x=1; ls $x',
      'a[1]=2',
      'x=1 > f',
    ])
      expect(verdictOf(line, 'ls')).toBe('ask')
    expect(judgeCommand('exit 7', { rules: [], fallback: 'deny' })).toMatchObject({ verdict: 'deny', empty: true })
  })

  it.each([
    ['cd src && ls', 'allow'],
    ['cd src/a; cat b | head -3', 'allow'],
    ['cd .. && ls', 'ask'],
    ['cd /etc && ls', 'ask'],
    ['cd && ls', 'ask'],
    ['cd "$x" && ls', 'ask'],
    ['cd src && cat ../../x', 'ask'],
    ['cd sub && git status', 'allow'],
    ['cd ./sub && git status | head -3', 'allow'],
    ['cd sub && npm test', 'allow'],
    ['(cd packages/a && npm test)', 'allow'],
    ['(cd a && npm test); (cd b && npm test)', 'allow'],
    ['cd sub && git status && npm test', 'ask'],
    ['f() { ls; }; cd sub; git status', 'ask'],
    ['cd sub && npm run x', 'ask'],
    ['cd sub/../.. && npm test', 'ask'],
    ['cd sub && cd .. && npm test', 'ask'],
    ['cd ~ && npm test', 'ask'],
    ['cd - && npm test', 'ask'],
    ['cd s* && npm test', 'ask'],
    ['CDPATH=/tmp; cd sub && npm test', 'ask'],
    ['CDPATH=/tmp cd sub && npm test', 'ask'],
    ['cd -P sub && npm test', 'ask'],
    ['cd sub && ./run.sh', 'ask'],
    ['cd "$(ls)" && npm test', 'ask'],
    ['cd sub > f && ls', 'ask'],
    ['cd() { ls; }; cd src', 'allow'],
    ['cd() { id; }; cd src', 'ask'],
    ['ls *.{js,ts}', 'allow'],
    ['cat src/{a,b}.ts', 'allow'],
    ['cat {a,/etc/passwd}', 'ask'],
    ['cat {a,../b}', 'ask'],
    ['cat {1..3}', 'ask'],
    ['ls {a,{b,c}}', 'ask'],
    ['sort {-o,x} y', 'ask'],
    ['{ls,-l}', 'ask'],
    ['ls {a,$(id)}', 'ask'],
    ['time ls', 'allow'],
    ['time -p ls -l | head', 'allow'],
    ['time id', 'ask'],
    ['time x=1', 'ask'],
    ['time -o f ls', 'ask'],
    ['time { ls; }', 'ask'],
    ['[ -f a ] && cat a', 'allow'],
    ['test -d src || ls', 'allow'],
    ['if [ "$n" = 3 ]; then ls; fi', 'allow'],
    ['[ $n ] && ls', 'ask'],
    ['[ -f /etc/passwd ] && ls', 'ask'],
    ['[ -v "a[$(id)]" ] && ls', 'ask'],
    ['[ -f a ] > f', 'ask'],
    ['[() { ls; }; [ -f a ]', 'ask'],
  ])('under a policy for reading, %s is %s', (line, verdict) => {
    expect(verdictOf(line, 'ls', 'cat', 'head', 'sort', 'git status', 'npm test')).toBe(verdict)
  })

  it('names every part that is not allowed', () => {
    const line = 'ls; curl a && wget b; ls | nc c 1; curl a'
    expect(judgeCommand(line, { rules: [allow('ls')], fallback: 'ask' })).toMatchObject({
      part: 'curl a',
      others: ['wget b', 'nc c 1'],
    })
  })

  it.each([
    ['for ((i=0;i<3;i++)); do ls; done', 'a loop is not understood'],
    ['coproc ls', 'a coprocess'],
    ['ls *(N)', 'a bracket is misplaced'],
  ])('says first why %s is not followed, then which rule it may be about', (line, doubt) => {
    const rules = [allow('ls'), { ...allow('touch'), id: 'user:deny touch', verdict: 'deny' as const }]
    expect(judgeCommand(line, { rules, fallback: 'ask' }).why).toBe(
      `the line is not followed: ${doubt}; it may be a command of rule user:deny touch`,
    )
  })

  it('asks about quotes that other shells end elsewhere', () => {
    expect(verdictOf("echo $'a\\'; id #'", 'echo')).toBe('ask')
    expect(verdictOf("echo $'a\\tb'", 'echo')).toBe('allow')
  })

  it('stays quick with long lines and many rules', () => {
    const rules = Array.from({ length: 500 }, (_, at) => ({ ...allow('x'), id: `r${at}`, verdict: 'deny' as const }))
    const lines = ['ls;', 'npm a b c;', 'echo $(ls);', 'find . -exec ls ;', 'a=$a$a;', 'eval '].map(text =>
      text.repeat(40_000 / text.length),
    )
    const start = processorMs()
    for (const line of [...lines, `a=x;${'a=$a$a;'.repeat(100)}$a`]) judgeCommand(line, { rules, fallback: 'allow' })
    expect(processorMs() - start).toBeLessThan(20_000)
  })
})
