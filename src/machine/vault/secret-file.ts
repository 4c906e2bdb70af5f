import { ToolError } from '../../kernel/error.ts'

/** Returns the secrets in a file: a JSON object of strings, or lines of KEY=VALUE. Errors never repeat its content. */
export const parseSecretFile = (text: string, path: string): Map<string, string> => {
  const content = text.replace(/^\ufeff/, '')
  return /^\s*\{/.test(content) ? fromJson(content, path) : fromLines(content, path)
}

const fromJson = (content: string, path: string): Map<string, string> => {
  const value = parseJson(content)
  if (typeof value !== 'object' || value === null) throw malformedFile(path, 'it is not a JSON object')
  const secrets = new Map<string, string>()
  for (const [key, secret] of Object.entries(value)) {
    if (typeof secret !== 'string') throw malformedFile(path, `the value of ${JSON.stringify(key)} is not a string`)
    secrets.set(key, secret)
  }
  return secrets
}

const parseJson = (content: string): unknown => {
  try {
    return JSON.parse(content)
  } catch {
    // The parser's message would quote the file.
    return undefined
  }
}

const fromLines = (content: string, path: string): Map<string, string> => {
  const secrets = new Map<string, string>()
  for (const [at, line] of content.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const [, key, value] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (key === undefined || value === undefined) throw malformedFile(path, `line ${at + 1} is not KEY=VALUE`)
    secrets.set(key, unquote(value))
  }
  return secrets
}

/**
 * Single quotes keep everything; double quotes support \n, \", \\ and similar; without quotes ` #` begins a comment.
 */
const unquote = (value: string): string => {
  const single = /^'([^']*)'(?:\s+#.*)?$/.exec(value)
  if (single) return single[1] ?? ''
  const double = /^"((?:[^"\\]|\\.)*)"(?:\s+#.*)?$/.exec(value)
  if (double) return (double[1] ?? '').replace(/\\(.)/g, (_, next: string) => escapes[next] ?? next)
  return value.replace(/\s+#.*$/, '')
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

const malformedFile = (path: string, why: string): ToolError =>
  new ToolError('invalid_input', `the secret file ${path} cannot be read: ${why}`, {
    hint: 'Write one KEY=VALUE on each line, or one JSON object whose values are strings.',
  })
