/** Words by which an awk program reads or starts something else, or accesses the rest of its process. */
const REACHES = new Set(
  `system getline close ENVIRON ARGV ARGC ARGIND PROCINFO SYMTAB FUNCTAB extension include load`.split(' '),
)
const KEYWORDS = new Set(
  `print printf return in case if else while for do switch delete exit next nextfile BEGIN END BEGINFILE ENDFILE`.split(
    ' ',
  ),
)
/** After these, a bracket may be followed by a pattern as well as by a division. */
const CONTROL = /\b(if|while|for|switch|case|else|do)\b/
const TOKEN =
  /(?<blank>[ \t\r]+|\\\r?\n|#[^\n]*)|(?<name>[A-Za-z_]\w*)|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<text>"(?:[^"\\\n]|\\[^\n])*")|(?<sign>\|\||&&|\+\+|--|>>|>=|<=|==|!=|!~|\+=|-=|\*=|\/=|%=|\^=|\*\*=?|[-+*/%^!<>|?:~$=,;{}()[\]\n@&])/y
/** Programs disagree about the end of a pattern if a slash or a backslash is between square brackets. */
const PATTERN = /\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?(?:\[:\w+:\]|[^\][/\\\n])*\])*\//y

/**
 * Reports whether an awk program starts nothing, writes no file and reads only its input. A `>` compares unless it is
 * in a print outside brackets. An ambiguous program is not harmless.
 */
export function isHarmlessAwk(program: string): boolean {
  let at = 0
  let last = ''
  let depth = 0
  /** The bracket depth at which the current print began. */
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
    // After these, a value and a pattern cannot be told apart.
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

/** Reports whether a value ends here, so that a slash after it divides. */
const endsOperand = (token: string): boolean =>
  /^(pattern|[\w."].*|\)|\]|\+\+|--)$/s.test(token) && !KEYWORDS.has(token)
