import { describe, expect, it } from 'vitest'
import { judgeCommand, type CommandRule } from './judge-command.ts'
import { processorMs } from '../../../tests/processor-time.ts'

const rule = (verdict: CommandRule['verdict'], text: string): CommandRule => ({
  id: text,
  verdict,
  prefix: text === '*' ? [] : text.split(' '),
})
const ALLOWS = ['ls', 'cat', 'echo', 'true', 'grep', 'git log', '['].map(text => rule('allow', text))
const RULES = [...ALLOWS, ...['rm', 'curl'].map(text => rule('deny', text))]
const judge = (line: string) => judgeCommand(line, { rules: RULES, fallback: 'ask' })

describe('control flow and functions', () => {
  it.each([
    'if ls; then cat a; elif true; then echo b; else git log; fi',
    'for x in a.txt b.txt; do cat $x; done',
    'for x in a.txt b.txt; do cat "$x"; done',
    'for file in src/*.ts; do grep a "$file"; done',
    'for c in ls cat; do $c a; done',
    'for a in ls; do for b in x y; do $a $b; done; done',
    'for x in 1 2 3; do echo $x; done',
    'while true; do ls; break; done',
    'until ls; do echo no; done',
    'case $1 in a) ls;; b|c) cat d;; *) echo;; esac',
    'case a in a) ;; esac; ls',
    '{ ls; cat a; } | grep b',
    '(ls; cat a)',
    '[[ -f a ]] && ls',
    '[[ -n $x && -d b ]] || ls',
    '[[ $x == a* ]] && ls',
    '[[ $x =~ ^[a-z]+$ ]] && ls',
    '[[ $# -gt 1 ]] && ls',
    '[[ ! -e a ]] && ls',
    'if [ -f a ]; then ls; fi',
    'if [ "$x" = a ] && [ ! -e "$y" ]; then ls; fi',
    'f() { ls; }; f',
    'f() { ls; }\nf a b | grep c',
    'function f { ls; cat a; }; f',
    'f() (ls); for x in 1 2; do f $x; done',
    'ls() { cat a; }; ls',
    'f() { if true; then return 1; fi; ls; }; f; exit 0',
    'f() { for x in a b; do cat "$x"; done; }; f',
    'f() { echo "$1"; }; f x',
    'ls; exit 1',
  ])('SG-16: allows %j', line => {
    expect(judge(line)).toMatchObject({ verdict: 'allow' })
  })

  it.each([
    'if true; then rm x; fi',
    'if false; then ls; else curl x; fi',
    'while ls; do rm x; done',
    'until rm x; do ls; done',
    'case a in b) rm x;; esac',
    'case $(curl x) in a) ls;; esac',
    'case a in $(rm x)) ls;; esac',
    '[[ -n $(rm x) ]] && ls',
    '{ ls; rm x; }',
    '(rm x)',
    'for c in rm ls; do $c x; done',
    'for c in ls rm; do "$c" x; done',
    'for c in "rm x"; do $c; done',
    'for a in r; do for b in m; do $a$b x; done; done',
    'for c in rm; do echo "$c x" | sh; done',
    'for c in rm; do $(echo $c) x; done',
    'for c in x; do rm "$c"; done',
    'for c in rm; do f() { $c x; }; done; f',
    'for c in $(rm x); do ls; done',
    'ls() { rm -rf /; }; ls',
    'function f { rm x; }',
    'f() { "$@"; }; f rm x',
    'f() { $1 x; }; f rm',
    'f() { g "$@"; }; g() { "$@"; }; f rm x',
    'f() { $c x; }; c=rm; f',
    'set -- rm x; "$@"',
    'set rm x; $1 $2',
    'a=(rm x); "${a[@]}"',
    'a=(ls rm); ${a[1]} x',
    'for c; do ls; done; rm x',
    'for ((;;)); do rm x; done',
    'select c in rm; do $c x; done',
  ])('SG-16: denies %j, whatever is allowed or approved', line => {
    expect(judge(line)).toMatchObject({ verdict: 'deny' })
    const wide = [rule('allow', '*'), rule('deny', 'rm'), rule('deny', 'curl')]
    expect(judgeCommand(line, { rules: wide, fallback: 'allow' }).verdict).toBe('deny')
  })

  it.each([
    ['if ls; then id; fi', 'id'],
    ['for c in ls id; do $c; done', 'id'],
    ['f() { id; }; f', 'id'],
    ['for x in a ../b; do cat $x; done', 'cat ../b'],
    ['for x in -la "a b"; do ls; cat $x; done', 'cat $x'],
    ['for f in src/*; do cat $f; done', 'cat $f'],
    ['for f in $(ls); do cat "$f"; done', 'cat $(ls)'],
    ['for c in ls; do $c; done; $c', '$c'],
    ['$c; for c in ls; do $c; done', '$c'],
    ['f; f() { ls; }', 'f'],
    ['false || f() { ls; }; f', 'false'],
    ['true && f() { ls; }; f', 'f'],
    ['(f() { ls; }); f', 'f'],
    ['f() { ls; } | cat; f', 'f'],
    ['f() { ls; } & f', 'f'],
    ['if true; then f() { ls; }; fi; f', 'f'],
    ['cat <<E; f() { ls; }; ls\n$(f)\nE', 'f'],
    ['f() { cat "$1"; }; f /etc/passwd', 'cat "$1"'],
    ['f() { ls; }; f > x', 'f > x'],
    ['f() { ls; } > x; f', '{ ls; } > x'],
    ['while ls; do cat; done > x', 'while ls; do cat; done > x'],
    ['for c in ls; do read c; $c; done', 'read c'],
    ['for c in ls; do c=id; $c; done', '$c'],
    ['exit $x; ls', 'exit $x'],
    ['[ -v a[1] ] && ls', '[ -v a[1] ]'],
    ['f() { [ "$1" "$2" ]; }; f -v a[1]', '[ "$1" "$2" ]'],
  ])('asks about %j, and names %s', (line, part) => {
    const judged = judgeCommand(line, { rules: ALLOWS, fallback: 'ask' })
    expect(judged.verdict).toBe('ask')
    expect(judgeParts(line)).toContain(part)
    expect(judged.part).toBeDefined()
  })

  it.each(['for c in ls; do printf -v c id; $c; done', 'f() { :; }', '[[ -f a ]]', 'a=(ls); "${a[@]}"'])(
    'asks about %j',
    line => {
      expect(judge(line).verdict).toBe('ask')
    },
  )

  it('does not lose a denied command to a variable that something else sets', () => {
    const wide = [rule('allow', '*'), rule('deny', 'rm')]
    for (const line of [
      'for c in ls; do read c <<< rm; $c x; done',
      'for c in read; do $c c <<< rm; $c x; done',
      'for c in ls; do printf -v c rm; $c x; done',
      'for c in ls; do eval "$d"; $c x; done',
      'f() { for c in $d; do :; done; }; for c in ls; do f; $c x; done',
    ])
      expect(judgeCommand(line, { rules: wide, fallback: 'allow' }).verdict).not.toBe('allow')
  })

  it('stays quick with many loops, words, functions and calls', () => {
    const words = 'a '.repeat(5_000)
    const lines = [
      `for x in ${words}; do ${'$x $x; '.repeat(4_000)} done`,
      `for x in ${words}; do for y in ${words}; do ${'$x $y; '.repeat(2_000)} done; done`,
      `f() { f; f; f "$@"; }; ${'f a; '.repeat(5_000)}`,
      'for x in a; do '.repeat(20) + '$x;'.repeat(5_000) + ' done;'.repeat(20),
      `${'f() { g; }; g() { f; }; '.repeat(1_000)} f`,
    ]
    const start = processorMs()
    for (const line of lines) judge(line)
    expect(processorMs() - start).toBeLessThan(10_000)
  })
})

/** Every part that is asked for, found by allowing one after the other. */
function judgeParts(line: string): readonly string[] {
  const parts: string[] = []
  for (let rules = ALLOWS; parts.length < 5;) {
    const { verdict, part } = judgeCommand(line, { rules, fallback: 'ask' })
    if (verdict !== 'ask' || part === undefined || parts.includes(part)) break
    parts.push(part)
    rules = [...rules, rule('allow', part)]
  }
  return parts
}
