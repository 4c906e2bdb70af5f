/** The known exit status and output of a command. */
interface Report {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  readonly stdoutLines: number
  readonly stderrLines: number
}

/** The counts of the document's section. */
export const countsOf = ({ exitCode, stdoutLines, stderrLines }: Report) => ({
  exit_code: exitCode,
  stdout_lines: stdoutLines,
  stderr_lines: stderrLines,
})

/** Formats a command's output. Standard error matters even after a success. */
export const formatOutput = ({ stdout, stderr }: Pick<Report, 'stdout' | 'stderr'>): string =>
  `Command output:\n${endLine(stdout)}${stderr === '' ? '' : `Standard error:\n${endLine(stderr)}`}`

/** The document's sentence for a nonzero exit code, followed by the rest of the output. */
export function formatFailure({ exitCode, stdout, stderr }: Report): string {
  const missing = exitCode === 127 ? MISSING.exec(stderr) : null
  if (missing) {
    const others = stderr.replace(/\n$/, '') === missing[0] ? '' : stderr
    const more = others === '' ? '' : `Standard error:\n${endLine(others)}`
    return `Command '${missing[1]}' not found${stdout + more === '' ? '' : `\n${standardOutput(stdout)}${more}`}`
  }
  const sentence = `Command failed with exit code ${exitCode}:\n`
  return stderr === '' ? sentence + stdout : `${sentence}${endLine(stderr, stdout)}${standardOutput(stdout)}`
}

const MISSING = /^(?:bash|sh|\/bin\/(?:ba)?sh): (?:line \d+: |\d+: )?(.+?): (?:command )?not found$/m

/** The sentence alone, with standard error if the document prints it. */
export function sentenceOf(output: string): string {
  const text = output.replace(/^Error: /, '')
  const [first = ''] = text.split('\n', 1)
  if (first.endsWith("' not found")) return first
  const at = text.indexOf(`\n${OUTPUT}`)
  return at < 0 ? text : text.slice(0, at + 1)
}

/** Returns the report of a command whose call failed; undefined if none ran. */
export function reportIn(details: Readonly<Record<string, unknown>> = {}): Report | undefined {
  const { exitCode, stdout, stderr, stdoutLines, stderrLines } = details
  if (typeof exitCode !== 'number' || typeof stdout !== 'string' || typeof stderr !== 'string') return undefined
  const lines = (count: unknown, text: string): number => (typeof count === 'number' ? count : linesIn(text))
  return { exitCode, stdout, stderr, stdoutLines: lines(stdoutLines, stdout), stderrLines: lines(stderrLines, stderr) }
}

const OUTPUT = 'Standard output:\n'

const standardOutput = (stdout: string): string => (stdout === '' ? '' : OUTPUT + endLine(stdout))

/** Ends the last line, because more text follows. */
const endLine = (text: string, next = '\n'): string => (next === '' || text.endsWith('\n') ? text : `${text}\n`)

const linesIn = (text: string): number => (text === '' ? 0 : endLine(text).split('\n').length - 1)
