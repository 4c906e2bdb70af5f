/**
 * Lines that mean one thing to a reader who takes their middle for a quote, and another to one who takes it for a comment, a
 * here-document or a bracket: a construct is split between two of its words, and goes on in two ways, each with a program of its own.
 */

/** `C` is where a program stands. */
const CONSTRUCTS: readonly string[] = [
  'for x in a b ; do C ; done',
  'for x in a\ndo\nC\ndone',
  'for x ; do C ; done',
  'for x do C ; done',
  'for (( i=0 ; i<1 ; i++ )) ; do C ; done',
  'select x in a ; do C ; break ; done',
  'while true ; do C ; break ; done',
  'until false\ndo C\nbreak ; done',
  'if true ; then C ; elif C ; then C ; else C ; fi',
  'if C\nthen C\nfi',
  'case a in a ) C ;; esac',
  'case a in ( b | a ) C ;& c ) C ;; esac',
  'case a\nin\na) C\n;;\nesac',
  '{ C ; }',
  '( C )',
  '( C ) > /dev/null',
  'f ( ) { C ; } ; f',
  'f () ( C )\nf',
  'function f { C ; } ; f',
  'C && C || C',
  'C | C |& C',
  'C & C',
  'true ; C',
  '! C',
  'time -p C',
  'time -- C',
  'echo "${x#a}" ; C',
  'C > /dev/null 2>&1',
  'C <<< a',
  'C < a.txt',
  'x=1 y=2 C',
  'x=( a b ) ; C',
  'x[1]=a ; C',
  'declare -a x=( a b ) ; C',
  '[[ -n a && b == b ]] && C',
  '[ a = a ] && C',
  '(( 1 )) && C',
  'echo $(( 1 + 2 )) ; C',
  'echo $( C ) a',
  'echo "$( C )" a',
  'echo ` C ` a',
  'echo ${x:-$( C )} a',
  'echo "${x:-$( C )}" a',
  'cat <( C ) a',
  'cat <<E\na $( C )\nE\nC',
  "cat <<'E'\na\nE\nC",
  'cat <<-E ; C\n\ta\n\tE\nC',
  'coproc C ; wait',
  'coproc n { C ; } ; wait',
  "alias a='C' ; a",
  'shopt -s extglob\necho @(a|b) ; C',
  "echo $'a' ; C",
  'echo a \\\nb ; C',
  'eval C ; C',
  'env x=1 C',
  'trap C EXIT ; true',
]

/** What may stand before the sign, or be it; those that matter most come first. */
const GLUE: readonly string[] = [
  ' # ',
  '#',
  '[ ',
  ' #',
  '\t#',
  '\n#',
  ' \\\n#',
  '\\\n#',
  ';#',
  '; #',
  '&#',
  '|#',
  '&&#',
  '>#',
  '(#',
  ')#',
  '{#',
  '}#',
  '!#',
  '""#',
  "''#",
  '$x#',
  '$#',
  '${x}#',
  '${#',
  '$(:)#',
  '`:`#',
  '$((1))#',
  '<(:)#',
  '>(:)#',
  '\\ #',
  "$''#",
  'x=#',
  'x=()#',
  'x=(a)#',
  '2>&1#',
  '~#',
  '*#',
  '[#',
  ' ',
  '',
  ' \\\n',
  '\r',
  '\r\n',
  '\v',
  '\u00A0',
  '\t',
]

/** What opens, the most usual first, and what closes it on the way that takes it so. */
const OPENED: readonly (readonly [string, string])[] = [
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ["$'", "'"],
  ['$"', '"'],
  ['$(', ')'],
  ['${x:-', '}'],
  ['$((', '))'],
  ['((', '))'],
  ['(', ')'],
  ['{ ', ';}'],
  ['[[ ', ' ]]'],
  ['x=(', ')'],
  ['@(', ')'],
  ['<(', ')'],
  ['<<E', '\nE\n'],
  ["<<'E'", '\nE\n'],
  ['<<-"E"', '\n\tE\n'],
  ['<<\\E ', '\nE\n'],
  [`"\${x#'"'}" }" '`, "'"],
  [`"\${x:-'"'}" }" '`, "'"],
  ["\\'", "'"],
  ['\\', ''],
  ["'\\'", "'"],
  ['"\\"', '"'],
  ["$'\\'", "'"],
]

/** The lines that the first few signs and quotes make. */
export const coreLines = (): readonly string[] => linesOf(GLUE.slice(0, 3), OPENED.slice(0, 3))

/** So many of all lines, evenly spread. */
export function splitLines(count: number): readonly string[] {
  const lines = linesOf(GLUE, OPENED)
  const offset = Math.random()
  return Array.from({ length: count }, (_, at) => lines[Math.floor(((at + offset) / count) * lines.length)] ?? '')
}

const linesOf = (glues: typeof GLUE, opened: typeof OPENED): readonly string[] =>
  splits().flatMap(split => glues.flatMap(glue => opened.map(([open, close]) => lineOf(split, glue, open, close))))

interface Split {
  readonly head: string
  readonly tail: string
}

const splits = (): readonly Split[] =>
  CONSTRUCTS.flatMap(construct => {
    const words = construct.split(/(?<=[ \n])/)
    return Array.from({ length: words.length + 1 }, (_, at) => ({
      head: words.slice(0, at).join('').replace(/[ ]$/, ''),
      tail: words.slice(at).join(''),
    }))
  })

/** The end of the line stands for it. */
const OPERATOR = /^\s*(;(?![;&])|&&?|\|[|&]?)\s*/

function lineOf({ head, tail }: Split, glue: string, open: string, close: string): string {
  const fill = (text: string, program: string): string => text.replaceAll('C', program)
  return `${fill(head, 'ls')}${glue}${open}\n${fill(tail.replace(OPERATOR, ''), 'id')} #${close} ${fill(tail, 'curl')}`
}
