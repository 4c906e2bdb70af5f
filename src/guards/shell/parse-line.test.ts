import { describe, expect, it } from 'vitest'
import { parseLine } from './parse-line.ts'
import { literalOf } from './script.ts'
import { processorMs } from '../../../tests/processor-time.ts'

const commandsOf = (line: string): unknown =>
  parseLine(line).commands.map(({ words }) => words.map(word => literalOf(word) ?? `?${word.source}`))

describe('parseLine', () => {
  it.each([
    ['ls -la', [['ls', '-la']]],
    ['echo \'a b\' "c d" e\\ f', [['echo', 'a b', 'c d', 'e f']]],
    ['c\'u\'"r"l', [['curl']]],
    ['echo "a\\"b\\$c\\\\d\\e"', [['echo', 'a"b$c\\d\\e']]],
    ["echo $'a\\tb\\x41\\101'", [['echo', 'a\tbAA']]],
    ["echo $'\\u00e9'", [['echo', "?$'\\u00e9'"]]],
    ['echo $x ${y} "$z"', [['echo', '?$x', '?${y}', '?"$z"']]],
    ['echo $ "a$" $.', [['echo', '$', 'a$', '$.']]],
    ['echo {a,b} {} a{b} {1..3}', [['echo', 'a', 'b', '{}', 'a{b}', '?{1..3}']]],
    ['echo x{a,b}.c {a,$b} {a,}', [['echo', 'xa.c', 'xb.c', '?{a,$b}', '?{a,}']]],
    ['ls * a? [ab] [ ]', [['ls', '?*', '?a?', '?[ab]', '[', ']']]],
    ['ls ~ a~b x=~', [['ls', '?~', 'a~b', '?x=~']]],
    ['a; b && c || d | e & f\ng', [['a'], ['b'], ['c'], ['d'], ['e'], ['f'], ['g']]],
    ['(a; b)', [['a'], ['b']]],
    ['{ a; b; }', [['a'], ['b']]],
    ['echo $(a $(b))', [['b'], ['a', '?$(b)'], ['echo', '?$(a $(b))']]],
    ['echo "`a`"', [['a'], ['echo', '?"`a`"']]],
    ['diff <(a) >(b)', [['a'], ['b'], ['diff', '?<(a)', '?>(b)']]],
    ['if a; then b; elif c; then d; else e; fi', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['while a; do b; done', [['a'], ['b']]],
    ['for x in $(a); do b; done', [['a'], ['b']]],
    ['! a', [['a']]],
    ['a # b; c\nd', [['a'], ['d']]],
    ['a#b', [['a#b']]],
    ['a \\\n b', [['a', 'b']]],
    ['a&\\\n&b', [['a'], ['b']]],
    ['a # b \\\nc', [['a'], ['c']]],
    ['', []],
    [' \n # only a comment', []],
    ['cat <<A; b\n$(c)\nA\nd', [['cat'], ['b'], ['c'], ['d']]],
    ["cat <<'A'\n$(c)\nA\nd", [['cat'], ['d']]],
    ['cat <<A <<-B\na\nA\n\tb\n\tB\nd', [['cat'], ['d']]],
    ['2>x a 3<&1 b', [['a', 'b']]],
    ['case x in (a|b) c;; *) d;; esac', [['c'], ['d']]],
    ['f() { a; }', [['a']]],
    ['[[ -n $(a) && b < c ]]', [['a']]],
    ['echo ${x:-$(a)} "${y:-`b`}"', [['a'], ['b'], ['echo', '?${x:-$(a)}', '?"${y:-`b`}"']]],
    ['x=1 y=$(a) b', [['a'], ['b']]],
    ['x=(a $(b))', [['b'], []]],
  ])('finds every command: %j', (line, commands) => {
    expect(parseLine(line).broken).toBeUndefined()
    expect(commandsOf(line)).toEqual(commands)
  })

  it.each([
    ':() { a; }',
    'function "f" { a; }',
    'select x in a; do b; done',
    'for PATH in a; do b; done',
    'for http_proxy in a; do b; done',
    '[[ a -eq b[1] ]]',
    '[[ $a -eq 1 ]]',
    '[[ -v a[1] ]]',
    '[[ a < b ]]',
    '[[ -n a && b ]]',
    '[[ ( a ) ]]',
    '((1))',
    'time { a; }',
    'echo ${x:-y}',
    'echo ${!x}',
    'echo $((x))',
    'echo $"a"',
    'x=(a)',
    'a {fd}>b',
    'echo `a \\` b`',
    'a ﹔b',
  ])('has its doubts about %j', line => {
    expect(parseLine(line)).toMatchObject({ doubts: [{ opaque: false }] })
  })

  it('does not take for certain what a coprocess starts', () => {
    expect(parseLine('coproc a').doubts).toEqual([{ what: 'a coprocess', opaque: true }])
  })

  it.each([
    'ls[ a ]',
    'ls[[ \nid # ]] & a',
    "x['a;b']=1",
    'x[$(a)]=1',
    'a\\\nb[ c',
    '>f a[ b',
    'x=([ a ]=b)',
    'a; b[#\n]; c',
  ])('gives up on an index that is not plain: %j', line => {
    expect(parseLine(line).broken).toBe('an index is not understood')
  })

  it.each(['x[1]=a', 'x[$i]=a', 'x["a b"]+=c', 'ls a[b', 'ls [ab]*', '[ a = b ]'])('reads a plain index: %j', line => {
    expect(parseLine(line).broken).toBeUndefined()
  })

  it.each([
    "'",
    '"',
    '`',
    'a \\',
    '$(',
    '${',
    'echo $[1]',
    'echo $((1',
    '(',
    '((',
    ')',
    'a )',
    'a (b)',
    ';',
    'a ;; b',
    '&& a',
    'a &&& b',
    'a | | b',
    'if a',
    'fi',
    '}',
    '{ }',
    'for ((;;)); do a; done',
    'for "x" in a; do b; done',
    'f() a',
    'f() g() { a; }',
    '[[ a',
    '[[ -f ]]',
    '[[ a b ]]',
    '[[ a =~ (b|c) ]]',
    '[[ a == +(b) ]]',
    '[[ a #b ]]',
    'case a in (#b) c;; esac',
    'cat <<A | for x in "a\nb"; do c; done\nA',
    'case a in',
    'a >',
    'a <<A',
    'a <<A\nb',
    'a <<"$x"\nb\n$x',
    '$(cat <<A\nb\nA)',
    'cat <<A $(b)\nA',
    'cat <<A "x\ny"\nA',
    'cat <<A\nb\\\nA\nA',
    'a\rb',
    'a\vb',
    'a\0',
    'a\u200bb',
    'a\u00a0b',
    'a "\u202e"',
    `${'$('.repeat(40)}a${')'.repeat(40)}`,
    'a'.repeat(60_000),
  ])('does not understand %j', line => {
    expect(parseLine(line).broken).toBeTypeOf('string')
  })

  it('keeps assignments, redirections, the text of here-documents and what a command reads', () => {
    const [first, second] = parseLine('A=b cat <<E >f | sh\nls\nE\n').commands
    expect(first).toMatchObject({
      source: 'A=b cat <<E >f',
      assignments: [{ name: 'A', value: { source: 'b' } }],
      redirections: [
        { operator: '<<', body: 'ls\n' },
        { operator: '>', target: { source: 'f' } },
      ],
    })
    expect(second?.input).toBe(first)
    expect(parseLine('{ a; } 2>f').commands).toMatchObject([{}, { words: [], redirections: [{ operator: '>' }] }])
  })

  it('takes time in proportion to the length', () => {
    const lines = ['$(', '{', 'a;', '"', '`a`', 'a<<A\nA\n', '((', '[[', '{a,', '\\\n', '$((1)) '].map(text =>
      text.repeat(49_000 / text.length),
    )
    const start = processorMs()
    for (const line of lines) parseLine(line)
    expect(processorMs() - start).toBeLessThan(10_000)
  })
})
