import { ToolError } from '../../kernel/error.ts'

/** A rule written as other agents write it: the name of a tool, and in brackets what it is used on. */
export interface ToolForm {
  readonly kind: 'read' | 'write' | 'exec' | 'net' | 'unknown'
  /** The text in the brackets; undefined without brackets. */
  readonly inner: string | undefined
  /** What such a rule is about, for messages. */
  readonly about: string
  /** Where such a rule is written here. */
  readonly elsewhere: string
}

const KINDS: Readonly<Record<string, Exclude<ToolForm['kind'], 'unknown'>>> = {
  bash: 'exec',
  shell: 'exec',
  shelltool: 'exec',
  run_shell_command: 'exec',
  terminal: 'exec',
  read: 'read',
  read_file: 'read',
  grep: 'read',
  glob: 'read',
  ls: 'read',
  write: 'write',
  write_file: 'write',
  edit: 'write',
  multiedit: 'write',
  notebookedit: 'write',
  webfetch: 'net',
  web_fetch: 'net',
  fetch: 'net',
}

const ABOUT: Readonly<Record<ToolForm['kind'], readonly [about: string, elsewhere: string]>> = {
  exec: ['commands', 'write it in policy.commands, or as exec:COMMAND'],
  read: ['reading files', 'write a rule with "action": "read" and "path"'],
  write: ['writing files', 'write a rule with "action": "write" and "path"'],
  net: ['hosts', 'write a rule with "action": "net" and "host"'],
  unknown: ['a tool', 'the known names are Bash, Shell, Read, Edit, Write and WebFetch'],
}

/** Returns the parts of `Bash(git push:*)` or of a capitalised `Bash`; undefined for every other text. */
export function toolForm(text: string): ToolForm | undefined {
  const [, name = '', inner] = /^\s*([A-Za-z][A-Za-z_]*)\(([^]*)\)\s*$/.exec(text) ?? []
  const [bare] = /^\s*[A-Z][A-Za-z]*\s*$/.exec(text) ?? []
  const toolName = name === '' ? bare?.trim() : name
  if (toolName === undefined) return undefined
  const kind = KINDS[toolName.toLowerCase()] ?? 'unknown'
  if (kind === 'unknown' && inner === undefined) return undefined
  const [about, elsewhere] = ABOUT[kind]
  return { kind, inner, about, elsewhere }
}

/** Refuses a rule as a list of words, which other agents write. */
export function ensureNoList(text: string): void {
  if (/^\s*(prefix_rule\(|\[\s*["'])/.test(text))
    throw refusedText(
      `${quote(text)} is a list of words`,
      Array.from(text.matchAll(/["']([^"']+)["'](?=\s*[,\]])/g), ([, word]) => word).join(' ') || undefined,
    )
}

/** Returns the command inside of `exec:` or `Bash( )`. */
export function innerCommand(text: string): string {
  ensureNoList(text)
  const form = toolForm(text)
  if (form?.kind === 'exec' && form.inner === undefined)
    throw refusedText(
      `${quote(text)} may be the program or every command`,
      '*',
      `write '*' for every command, or '${text.trim().toLowerCase()}' for the program`,
    )
  if (form?.kind === 'exec') return form.inner ?? ''
  if (form) throw refusedText(`${quote(text)} is about ${form.about}, not about commands`, undefined, form.elsewhere)
  const [, rule] = /^\s*(fs|net|secret):/.exec(text) ?? []
  if (rule !== undefined)
    throw refusedText(`${quote(text)} is about ${rule}, not about commands`, undefined, 'write it in permissions')
  return text.replace(/^\s*exec:/, '')
}

/**
 * Refuses a path pattern that no path of a workspace can match, or that other programs read otherwise. `\` before a
 * character of these means the character itself.
 */
export function ensurePathSpelling(pattern: string): void {
  if (pattern === '') return
  const refuse = (what: string, spelling?: string, hint?: string): never => {
    throw refusedText(`${quote(pattern)} ${what}`, spelling === pattern ? undefined : spelling, hint)
  }
  const form = toolForm(pattern)
  const [, permission, rest] = /^(fs:\w+|exec|net|secret):(.*)$/s.exec(pattern) ?? []
  if (permission !== undefined)
    refuse(
      'is a permission string, and a path is written without its kind',
      permission.startsWith('fs') ? rest : undefined,
    )
  if (form?.inner !== undefined && form.kind !== 'unknown')
    refuse('is a rule about a tool, and a path is written without its name', form.inner)
  if (pattern.startsWith('!'))
    refuse(
      "begins with '!', and no rule takes something out of another",
      pattern.slice(1),
      `write a rule of its own for '${pattern.slice(1)}', or '\\${pattern}' for a name that begins so`,
    )
  if (/^(["'`]).*(?<!\\)\1$/s.test(pattern))
    refuse('is in quotes, which would be part of the name', pattern.slice(1, -1))
  if (/^\s|(?<!\\)\s$/.test(pattern))
    refuse('has a blank at its beginning or end, which would be part of the name', pattern.trim())
  if (/^[A-Za-z]:[\\/]/.test(pattern)) refuse('begins at a drive, and paths begin at the workspace')
  if (/\\[\p{L}\p{N}_.]/u.test(pattern.replaceAll('\\\\', '')))
    refuse("has '\\' between names", pattern.replaceAll(/\\+/g, '/'))
  if (/^(~[\w.-]*\/|~$|\$HOME\b|\$\{|%\w+%|file:)/.test(pattern))
    refuse(
      'is outside the workspace, where no file tool reaches',
      undefined,
      'leave the rule out, or write a path from the workspace',
    )
  if (/^\^|(?<!\\)\$$/.test(pattern))
    refuse(
      'looks like a regular expression, and a path is a glob',
      pattern.replaceAll(/^\^|\$$/g, '').replaceAll('.*', '*'),
    )
  if (DEEP_NAME.test(pattern))
    refuse(
      "has '**' beside other characters, where it means '*'",
      pattern.replaceAll(/(?<=^|\/)\*\*(?=[^/*])/g, '**/*').replaceAll(/(?<=[^/*\\])\*\*(?=\/|$)/g, '*/**'),
    )
  const [hiddenCharacter] = /(?<!\\)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.exec(pattern) ?? []
  if (hiddenCharacter !== undefined)
    refuse(
      'has a character that cannot be seen',
      pattern.replaceAll(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''),
    )
}

const DEEP_NAME = /(?<=^|[/{,])\*\*(?=[^/*,}])|(?<=[^/*\\{,])\*\*(?=[/,}]|$)/

/** The refusal of a rule's text, with the spelling that was probably meant. */
export function refusedText(what: string, spelling?: string, hint?: string): ToolError {
  const advice = hint ?? (spelling === undefined ? undefined : `write '${clip(spelling)}'`)
  return new ToolError('invalid_input', what, {
    ...(advice !== undefined && { hint: advice }),
    ...(spelling !== undefined && { details: { spelling } }),
  })
}

/** Quotes a text of any length for a message. */
export const quote = (text: string): string => `'${clip(text)}'`

const clip = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
