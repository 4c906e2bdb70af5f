import { extname } from 'node:path'
import { ToolError } from '../../../kernel/error.ts'
import type { NewFix } from '../../../knowledge/memory/fix.ts'
import { errorNames } from '../../../knowledge/memory/text/error-names.ts'
import { hardenedGit } from '../../../machine/process/overlay/hardened-git.ts'
import type { Environment } from '../../../machine/state/directory.ts'

const MOST_DIFF = 150_000

/** Drafts a fix from a commit: its message says what was wrong and why, its diff what helped. */
export function draftFromCommit(root: string, ref: string, env: Environment): NewFix {
  const git = (...args: readonly string[]): string | undefined => {
    const { status, stdout } = hardenedGit(root, args, undefined, env, { timeoutMs: 10_000, maxBytes: 16 << 20 })
    return status === 0 ? stdout.toString('utf8') : undefined
  }
  // A ref that begins with a dash would be an option.
  const hash = ref.startsWith('-') ? undefined : git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`)?.trim()
  const described = hash && git('log', '-1', '--no-show-signature', '--format=%aI%n%B', hash)
  if (!hash || !described)
    throw new ToolError('not_found', `There is no commit '${ref}'`, { hint: 'Give a hash, a branch or a tag' })
  const [date = '', ...lines] = described.split('\n')
  const message = lines.join('\n')
  const counts =
    git('diff-tree', '-r', '--root', '-m', '--first-parent', '--no-commit-id', '--numstat', '-z', hash) ?? ''
  const diff =
    git(
      'diff-tree',
      '-p',
      '-r',
      '--root',
      '-m',
      '--first-parent',
      '--no-commit-id',
      '--no-ext-diff',
      '--no-textconv',
      hash,
    ) ?? ''
  return {
    ...draftOf(message, changedMost(counts)),
    commit: hash,
    createdAt: new Date(date).toISOString(),
    diff: cut(diff),
  }
}

/** Returns the fields that a message and the most changed file give. */
function draftOf(message: string, file: string | undefined): NewFix {
  const [subject = '', ...rest] = message.trim().split('\n')
  const paragraphs = rest
    .join('\n')
    .split(/\n\s*\n/)
    .map(text => text.trim())
    .filter(text => text !== '' && !isTrailers(text))
  const about = subject.replace(/^(?:fix|bugfix|hotfix)(?:\([^)]*\))?!?:\s*/i, '').trim() || subject
  const seen = paragraphs.find(
    text => namesIn(text) !== undefined && /^\s+at |Traceback|^\S*(?:Error|Exception)\b/m.test(text),
  )
  const [cause = about, ...more] = paragraphs.filter(text => text !== seen)
  const language = file === undefined ? undefined : LANGUAGES[extname(file).slice(1).toLowerCase()]
  const errorType = namesIn(message)
  return {
    errorDescription: seen === undefined ? about : `${about}\n${seen}`,
    rootCause: cause,
    solution: more.join('\n\n') || about,
    ...(errorType !== undefined && { errorType }),
    ...(language !== undefined && { language }),
    ...(file !== undefined && { fixedIn: file }),
  }
}

const namesIn = (text: string): string | undefined => {
  const { classes, codes } = errorNames(text)
  return [...classes, ...codes][0]
}

const isTrailers = (text: string): boolean => text.split('\n').every(line => /^[A-Za-z-]+: |^#/.test(line))

/** Returns the file with the most changed lines in `--numstat -z`. */
function changedMost(counts: string): string | undefined {
  const files = counts.split('\0').flatMap(entry => {
    const [, added = '0', removed = '0', path] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(entry) ?? []
    return path === undefined ? [] : [{ path, lines: (Number(added) || 0) + (Number(removed) || 0) }]
  })
  // A test proves the fix; the fix itself is elsewhere.
  const own = files.filter(({ path }) => !/(^|[/._-])(tests?|spec)([/._-]|$)/i.test(path))
  return (own.length > 0 ? own : files).toSorted((one, other) => other.lines - one.lines)[0]?.path
}

const cut = (diff: string): string =>
  diff.length <= MOST_DIFF ? diff : `${diff.slice(0, MOST_DIFF)}\n… ${diff.length - MOST_DIFF} more characters\n`

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  py: 'python',
  kt: 'kotlin',
  kts: 'kotlin',
  java: 'java',
  go: 'go',
  rs: 'rust',
  rb: 'ruby',
  php: 'php',
  cs: 'csharp',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  hpp: 'cpp',
  swift: 'swift',
  scala: 'scala',
  sh: 'shell',
  sql: 'sql',
}
