/** Words with which a program of awk reads or starts something else, or reaches the rest of its process. */
const REACHES = new Set(
  `system getline close ENVIRON ARGV ARGC ARGIND PROCINFO SYMTAB FUNCTAB extension include load`.split(' '),
)
const KEYWORDS = new Set(
  `print printf return in case if else while for do switch delete exit next nextfile BEGIN END BEGINFILE ENDFILE`.split(
    ' ',
  ),
)
/** With these a bracket may be followed by a pattern as well as by a division. */
const CONTROL = /\b(if|while|for|switch|case|else|do)\b/
const TOKEN =
  /(?<blank>[ \t\r]+|\\\r?\n|#[^\n]*)|(?<name>[A-Za-z_]\w*)|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<text>"(?:[^"\\\n]|\\[^\n])*")|(?<sign>\|\||&&|\+\+|--|>>|>=|<=|==|!=|!~|\+=|-=|\*=|\/=|%=|\^=|\*\*=?|[-+*/%^!<>|?:~$=,;{}()[\]\n@&])/y
/** Where a slash or a backslash stands between square brackets, programs disagree about the end. */
const PATTERN = /\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?(?:\[:\w+:\]|[^\][/\\\n])*\])*\//y

/**
 * Reports whether a program of awk starts nothing, writes no file and reads nothing but its input. A `>` compares unless
 * it stands in a print outside of brackets; what cannot be told apart for certain is not harmless.
 */
export function isHarmlessAwk(program: string): boolean {
  let at = 0
  let last = ''
  let depth = 0
  /** The depth of brackets at which the print began that goes on here. */
  let printing: number | undefined
  while (at < program.length) {
    const isPattern = program[at] === '/' && !endsOperand(last)
    const match = matchAt(isPattern ? PATTERN : TOKEN, program, at)
    if (!match) return false
    at += match[0].length
    const { blank, name, sign } = isPattern ? {} : (match.groups ?? {})
    if (blank !== undefined) continue
    if (name !== undefined && REACHES.has(name)) return false
    if (sign === '|' || sign === '@' || sign === '>>' || sign === '&') return false
    // Reports whether a value or a pattern comes next is not told by these.
    const isUnclear = /^(\+\+|--|length)$/.test(last) || (last === ')' && CONTROL.test(program))
    if ((sign === '/' || sign === '/=') && isUnclear) return false
    if (sign === '(' || sign === '[') depth++
    if (sign === ')' || sign === ']') depth--
    if (depth < 0) return false
    if (name === 'print' || name === 'printf') printing = depth
    else if (sign === '>' && printing !== undefined && depth <= printing) return false
    else if (sign === ';' || sign === '{' || sign === '}' || (sign === '\n' && endsOperand(last))) printing = undefined
    last = isPattern ? 'pattern' : match[0]
  }
  return depth === 0
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Reports whether a value ends here, so that a slash behind it divides. */
const endsOperand = (token: string): boolean =>
  /^(pattern|[\w."].*|\)|\]|\+\+|--)$/s.test(token) && !KEYWORDS.has(token)
