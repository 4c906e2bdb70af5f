import fc from 'fast-check'

const from = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts)

const PROGRAMS = fc.oneof(
  {
    weight: 30,
    arbitrary: from(
      'ls',
      'cat',
      'echo',
      'echo',
      'echo',
      'true',
      'head',
      'wc',
      'pwd',
      'printf',
      'grep a',
      'git log',
      'git status',
    ),
  },
  { weight: 2, arbitrary: from('l""s', "c'a't", '\\ls', 'l\\\ns', '!', 'ech\\o') },
  {
    weight: 1,
    arbitrary: from(
      'id',
      'curl x',
      'rm a.txt',
      'touch f',
      'sh',
      'eval',
      'env',
      'xargs',
      'command',
      '$x',
      'exec',
      'time',
      'trap',
      'tee f',
      'bash -c',
    ),
  },
)

const HARMLESS = from(
  'a.txt',
  'src',
  '2',
  "'a;id'",
  '"a;id"',
  'a\\;id',
  "'a\nid'",
  'a#b',
  '#c',
  '"\\""',
  "'\\'",
  '""',
  "$'a\\'b'",
  '$((1+2))',
  'src/*',
  '$x',
  '"$x"',
)

const ODD = from(
  'a.txt',
  'src',
  '-la',
  '-n',
  '2',
  '--',
  'a#b',
  '#c',
  'x=1',
  "'a;id'",
  '"a;id"',
  'a\\;id',
  "'a\nid'",
  '"a\nid"',
  '"$x"',
  '$x',
  '${x}',
  '"${x}"',
  '$((1+2))',
  '"$((1+2))"',
  "$'a\\'b'",
  "$'\\x3b'",
  '*',
  '*.txt',
  'src/*',
  '{a,b}',
  '~',
  '!x',
  '"!"',
  "'",
  '"',
  '\\',
  '\\\n',
  '$',
  '$"a"',
  '""',
  "''",
  '"\\""',
  '"\\\\"',
  "'\\'",
  '${x:-a}',
  '${#x}',
  '[a',
  '[a]',
  '}',
  '{',
  'é',
  '""a',
  'a"b"c',
  "a'b'c",
  '-',
  '@',
  '%',
  '=',
  '^',
  'then',
  'fi',
  'in',
  'do',
  'done',
  'esac',
  ']]',
  "'a[$(id)]'",
  '"$@"',
  '$1',
  ';;',
  '-v',
)

const REDIRECTIONS = fc.oneof(
  {
    weight: 10,
    arbitrary: from(
      '2>&1',
      '2>/dev/null',
      '>/dev/null',
      '< a.txt',
      '<<< a',
      '3>&1',
      '>&-',
      '1>&2',
      '&>/dev/null',
      '</dev/null',
    ),
  },
  {
    weight: 1,
    arbitrary: from(
      '> f',
      '>> f',
      '>| f',
      '&> f',
      '>& f',
      '2> f',
      '<<< "$(id)"',
      '<> f',
      '< <(id)',
      '> >(id)',
      '{v}> f',
      '>',
    ),
  },
)

const OPERATORS = from(
  ' ; ',
  ' && ',
  ' || ',
  ' | ',
  ' & ',
  '\n',
  ';',
  '&',
  '|',
  '&&',
  '||',
  ' |& ',
  ' ;; ',
  '\n\n',
  ' \\\n',
  ' # x\n',
  ';\n',
)

/** What loops go through, with words that are programs, options and patterns. */
const LOOPED = fc
  .array(
    from(
      'ls',
      'cat',
      'echo',
      'id',
      'rm',
      'a.txt',
      '-la',
      '*',
      'src/*',
      '"ls a"',
      "'*'",
      '{ls,id}',
      '$y',
      'read',
      '""',
      '..',
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map(words => words.join(' '))

/** Names that are functions, programs or both. */
const CALLED = from('ls', 'f', 'cat', 'echo', 'exit', 'id', 'f', 'g')

const TESTED = from('==', '=', '!=', '=~', '<', '>', '-eq', '-lt', '-nt', '&&', '||', '-a', '-o', '-v')
const ABOUT = from('-n', '-z', '-f', '-e', '-v', '-t', '!', '-o', '-R')

const { line } = fc.letrec<{ line: string; command: string; word: string; compound: string; list: string }>(tie => ({
  word: fc.oneof(
    { depthSize: 'small', withCrossShrink: true, maxDepth: 4 },
    { weight: 20, arbitrary: HARMLESS },
    { weight: 4, arbitrary: ODD },
    tie('list').map(list => `$(${list})`),
    tie('list').map(list => `"$(${list})"`),
    tie('list').map(list => `\`${list}\``),
    tie('list').map(list => `<(${list})`),
    tie('list').map(list => `"\${x:-$(${list})}"`),
    tie('list').map(list => `'$(${list})'`),
  ),
  command: fc
    .tuple(PROGRAMS, fc.array(tie('word'), { maxLength: 3 }), fc.array(REDIRECTIONS, { maxLength: 1 }))
    .map(([program, words, redirections]) => [program, ...words, ...redirections].join(' ')),
  compound: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    { weight: 10, arbitrary: tie('command') },
    tie('list').map(list => `(${list})`),
    tie('list').map(list => `{ ${list}; }`),
    tie('list').map(list => `if true; then ${list}; fi`),
    fc
      .tuple(tie('list'), tie('list'), tie('list'))
      .map(([a, b, c]) => `if ${a}; then ${b}; elif true; then ${b}; else ${c}; fi`),
    tie('list').map(list => `for i in 1; do ${list}; done`),
    fc.tuple(LOOPED, tie('list')).map(([words, list]) => `for x in ${words}; do ${list}; done`),
    fc.tuple(LOOPED, tie('word')).map(([words, word]) => `for x in ${words}; do $x ${word}; done`),
    fc.tuple(LOOPED, CALLED).map(([words, call]) => `for x in ${words}; do ${call} $x "$x"; done`),
    fc.tuple(LOOPED, LOOPED).map(([one, other]) => `for x in ${one}; do for y in ${other}; do $x $y; done; done; $x`),
    tie('list').map(list => `while true; do ${list}; break; done`),
    tie('list').map(list => `until false; do ${list}; break; done`),
    fc.tuple(tie('word'), tie('word'), tie('list')).map(([a, b, list]) => `case ${a} in ${b}) ${list};; *) ls;; esac`),
    tie('list').map(list => `case a in b|a) ${list};& (c) ${list};; esac`),
    fc.tuple(CALLED, tie('list'), CALLED).map(([name, list, other]) => `${name}() { ${list}; }; ${other}`),
    fc
      .tuple(CALLED, tie('list'), OPERATORS, CALLED)
      .map(([name, list, operator, other]) => `${name}() { ${list}; }${operator}${other}`),
    fc.tuple(CALLED, tie('list'), CALLED).map(([name, list, other]) => `function ${name} (${list})\n${other} a`),
    fc
      .tuple(CALLED, tie('command'), tie('word'))
      .map(([name, command, word]) => `${name}() { ${command} "$1" $2; "$@"; }; ${name} ${word}`),
    fc
      .tuple(tie('word'), TESTED, tie('word'), tie('list'))
      .map(([a, test, b, list]) => `[[ ${a} ${test} ${b} ]] && ${list}`),
    fc.tuple(tie('word'), TESTED, tie('word')).map(([a, test, b]) => `[ ${a} ${test} ${b} ] || ls`),
    fc.tuple(ABOUT, tie('word'), tie('list')).map(([about, a, list]) => `[[ ${about} ${a} && -e ${a} ]]; ${list}`),
    fc.tuple(LOOPED, tie('list')).map(([words, list]) => `set -- ${words}; "$@"; ${list}`),
    tie('list').map(list => `cat <<EOF\n$(${list})\nEOF`),
    tie('list').map(list => `cat <<'EOF'\n$(${list})\nEOF`),
    fc.tuple(tie('list'), tie('list')).map(([one, other]) => `cat <<-E <<F; ${one}\n\tx\n\tE\ny\nF\n${other}`),
    tie('list').map(list => `[[ -n a ]] && ${list}`),
  ),
  list: fc
    .tuple(tie('compound'), fc.array(fc.tuple(OPERATORS, tie('compound')), { maxLength: 2 }))
    .map(([first, rest]) => first + rest.map(([operator, next]) => operator + next).join('')),
  line: tie('list'),
}))

const SPECIAL = from(
  "'",
  '"',
  '\\',
  '$',
  '(',
  ')',
  '{',
  '}',
  ';',
  '&',
  '|',
  '<',
  '>',
  '#',
  '\n',
  ' ',
  '`',
  '*',
  '=',
  '!',
  '\t',
  '$(',
  '<<',
  'EOF',
  '\\\n',
)

/** Lines of every construct, half of them spoiled at a few places. */
export const commandLines: fc.Arbitrary<string> = fc
  .tuple(line, fc.array(fc.tuple(fc.nat(), SPECIAL, fc.boolean()), { maxLength: 3 }), fc.boolean())
  .map(([text, changes, isSpoiled]) =>
    (isSpoiled ? changes : []).reduce((spoiled, [seed, special, replaces]) => {
      const at = seed % (spoiled.length + 1)
      return spoiled.slice(0, at) + special + spoiled.slice(replaces ? at + 1 : at)
    }, text),
  )
