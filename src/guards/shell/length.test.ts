import { describe, expect, it } from 'vitest'
import { judgeCommand, type CommandRule } from './judge-command.ts'

const rules: readonly CommandRule[] = [
  { id: 'all', verdict: 'allow', prefix: [] },
  { id: 'no push', verdict: 'deny', prefix: ['git', 'push'] },
  { id: 'no touch', verdict: 'deny', prefix: ['touch'] },
]
const verdictOf = (line: string): string => judgeCommand(line, { rules, fallback: 'allow' }).verdict

const many = (count: number, text: (at: number) => string, joint = ' '): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(joint)

/** What is behind a limit is not seen, so it has to be asked for. */
describe('the length of a line', () => {
  it.each([
    ['assignments of env', `env ${many(2_000, at => `A${at}=1`)} git push`],
    ['assignments', `${many(2_500, at => `A${at}=1`)} git push`],
    ['settings of git', `git ${many(1_200, () => '-c a.b=c')} push`],
    ['options', `git ${many(10_000, () => '-p')} push`],
    ['strings of a program', `python3 -c 'x = [${many(1_000, () => '"a"', ',')}]; run(["git", "push"])'`],
    ['strings in one row', `python3 -c 'run(["git", ${many(60, () => '"-p"', ',')}, "push"])'`],
    ['strings before a row', `node -e 'f(${many(150, () => '"a"', ',')}); spawn("git", ["push"])'`],
    ['strings on the input', `python3 - <<'E'\nx = [${many(1_000, () => "'a'", ',')}]\nrun('git push')\nE`],
    ['words of printf', `printf '%s\\n' ${many(3_000, () => 'ls')} 'git push' | sh`],
    ['a printed text', `sh -c "$(printf '%s;' ${many(9_000, () => 'ls')} 'git push')"`],
    ['a variable', `x=ls; ${many(20, () => 'x="$x;$x"', ';')}; sh -c "$x;git push"`],
    ['a variable that is evaluated', `x='ls;${'a'.repeat(25_000)};git push'; eval "$x"`],
    [
      'parameters',
      `f() { "$@"; }; ${many(12, at => `f${at}() { f${at + 1} "$@"; }`, ';')}; f12() { f "$@"; }; f0 git push`,
    ],
    ['parameters of set', `set -- ${many(12_000, () => 'a')} git push; eval "$*"`],
    ['calls', `${many(1_500, at => `f a${at}`, ';')}; f() { "$@"; }; f git push`],
    ['words of a loop', `for x in ${many(200, () => 'status')} push; do git $x; done`],
    [
      'loops in loops',
      `for a in 1 2 3 4 5 6 7 8 9; do for b in 1 2 3 4 5 6 7 8 9; do for c in status push; do git $c $a $b; done; done; done`,
    ],
    ['braces', `git {${many(100, () => '-p', ',')},push}`],
    ['braces in braces', `git {{{{{-p,-P},push},-p},-P},-p}`],
    ['input of xargs', `xargs git <<< '${many(3_000, () => '-p')} push'`],
    ['arguments of a starter', `docker run ${many(700, () => '-it')} x git push`],
    ['arguments of a certain starter', `watch ${many(700, () => '-n')} git push`],
    ['texts that are evaluated', `${many(3_000, () => "a='$(ls)'", ';')}; b='$(git push)'; echo $((b))`],
    ['shells in shells', many(9, () => 'eval', ' ') + ' git push'],
    ['the line', `ls ${'a'.repeat(60_000)}; git push`],
    ['functions of a line', `${many(1_200, at => `f${at}() { touch p; }`, ';')}; f7`],
  ])('lets no denied command pass behind %s', (_what, line) => {
    expect(verdictOf(line)).not.toBe('allow')
  })

  it.each([
    ['files', `ls ${many(3_000, at => `src/f${at}.ts`)}`],
    ['a message', `git commit -m '${many(2_000, () => 'word')}'`],
    ['a text in a variable', `x='${many(2_000, () => 'word')}'; echo "$x"`],
    ['a program', `python3 - <<'E'\n${many(300, at => `print('line ${at}')`, '\n')}\nE`],
    ['a here-document', `cat > a.txt <<'E'\n${many(5_000, at => `line ${at}`, '\n')}\nE`],
    ['a loop', `for x in ${many(50, at => `f${at}`)}; do cat "$x"; done`],
    ['a pipeline', many(200, () => 'cat', ' | ')],
    ['tests', `npx vitest run ${many(400, at => `src/f${at}.test.ts`)}`],
    ['a function that calls itself', 'f() { ls; f; }; f'],
  ])('is nothing to ask about by itself: %s', (_what, line) => {
    expect(verdictOf(line)).toBe('allow')
  })
})
