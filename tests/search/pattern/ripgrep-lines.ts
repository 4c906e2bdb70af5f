import { spawnSync } from 'node:child_process'
import { rgPath } from '@vscode/ripgrep'
import type { PatternOptions } from '../../../src/knowledge/search/pattern/types.ts'
import { LINES_OUTPUT, readLines } from '../../../src/knowledge/search/read-lines.ts'
import { MESSAGES_OUTPUT, readMessages } from '../../../src/knowledge/search/read-messages.ts'

/** `path:line:text` of each line that ripgrep finds below a directory; what it says where it refuses the pattern. */
export function ripgrepLines(
  directory: string,
  { patterns, regex, ignoreCase, word, invert, multiline }: PatternOptions,
): readonly string[] | { readonly refused: string } {
  const args = [
    ...ALWAYS,
    ...(multiline ? ['--multiline', ...MESSAGES_OUTPUT] : LINES_OUTPUT),
    ...(regex ? [] : ['--fixed-strings']),
    ...(ignoreCase ? ['--ignore-case'] : []),
    ...(word ? ['--word-regexp'] : []),
    ...(invert ? ['--invert-match'] : []),
    ...patterns.map(pattern => `--regexp=${pattern}`),
    '.',
  ]
  const { stdout, stderr, status } = spawnSync(rgPath, args, { cwd: directory, env: ENVIRONMENT, maxBuffer: 1 << 30 })
  if (status === 2) return { refused: stderr.toString() }
  const files: { readonly path: string; lines: string[] }[] = []
  const read = (multiline ? readMessages : readLines)({
    file: path => files.push({ path, lines: [] }) > 0,
    line(line, isMatch, text) {
      const file = files.at(-1)
      if (file && isMatch) file.lines.push(`${file.path}:${line}:${text()}`)
    },
    binary: () => void files.pop(),
    count: () => undefined,
    searched: () => undefined,
  })
  read(stdout)
  return files.toSorted((one, other) => (one.path < other.path ? -1 : 1)).flatMap(({ lines }) => lines)
}

const ENVIRONMENT = { LANG: 'C.UTF-8' }
const ALWAYS = [
  '--no-config',
  '--no-messages',
  '--color=never',
  '--hidden',
  '--no-ignore',
  '--crlf',
  '--regex-size-limit=10M',
]
