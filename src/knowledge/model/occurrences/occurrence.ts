/** How a name is written at one place of a file. */
export interface WrittenName {
  readonly start: number
  readonly kind: NameKind
  /**
   * The callee or table that a string is passed to: `getattr`, `[]`; for a name or member the module that it is
   * imported from.
   */
  readonly of?: string
}

/**
 * `name`: used as itself. `member`: a part of something, such as `x.name`, a keyword argument or a JSX attribute.
 * `key`: of an object or dictionary. `shorthand`: `{ name }`, both a name and a key. `string`: a string that names
 * code. `module`: a part of a module name. `macro`: in the text of a macro. `text`: a comment or a longer text.
 */
export type NameKind = 'name' | 'member' | 'key' | 'shorthand' | 'string' | 'module' | 'macro' | 'text'

/** Calls that print their arguments, which name nothing. */
const PRINTS =
  /^(?:(?:[\w.]+\.)?e?print(?:ln|f)?!?|puts|console\.\w+|(?:self\.)?_?log(?:ger|ging)?\.\w+|\w*(?:Error|Exception|Warning))$/i
/** Calls that run a string as code, or parse names in it. */
const RUNS =
  /^(?:eval|exec|Function|compile|setTimeout|setInterval|runIn\w*Context|timeit|execSync|namedtuple|attrgetter|methodcaller|make_dataclass|Enum|NamedTuple)$/

/** Reports whether a call runs a string as code. */
export const isRun = (callee: string): boolean => RUNS.test(callee.slice(callee.lastIndexOf('.') + 1))

/** The kind of a string that contains a name: one that names code, or text. */
export function stringKind(content: string, name: string, at: number, callee = ''): 'string' | 'text' {
  if (isRun(callee)) return 'string'
  const [before, after] = [content.slice(0, at), content.slice(at + name.length)]
  // A placeholder in a template: `{name}`, `{0.name}`, `{{ x.name }}`, `%(name)s`, `${x.name}`.
  if (/(?:\{\{?\s*|\$\{|%\()[^{}()]*$/.test(before) && /^[^{}()]*(?:\(\))?[^{}()]*(?:\}|\)[a-z])/.test(after))
    return 'string'
  if (/\s/.test(content.trim()) || PRINTS.test(callee)) return 'text'
  // `pkg.module.name`, `pkg.module:name`, `file#name`; a path with it names a file.
  return /(?:^|[.:#])$/.test(before) && /^(?:\(\))?(?:$|[.:#[])/.test(after) ? 'string' : 'text'
}

const DELIMITED =
  /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|<%[\s\S]*?%>|\$\{[^}]*\}|[\s](?:[:@#]|v-|on)[\w.:-]*\s*=\s*(?:"[^"]*"|'[^']*')|<script\b[\s\S]*?<\/script>/g

/** The kind of a name in a template: code between its delimiters, or text. */
export function templateKind(text: string, start: number): 'name' | 'member' | 'text' {
  const around = [...text.matchAll(DELIMITED)].find(
    ({ index, 0: whole }) => index <= start && index + whole.length > start,
  )
  if (!around) return 'text'
  return /\.\s*$/.test(text.slice(Math.max(0, start - 20), start)) ? 'member' : 'name'
}
