import type { GitSetting } from './parse-git-config.ts'

/** A path that a setting of git names, as it is written there. */
interface NamedPath {
  readonly text: string
  /** A directory of this name is not meant. */
  readonly isFile: boolean
}

/** The value is one path: of a program, of configuration, or of what git trusts. */
const PATHS =
  /^(include|includeif|browser|difftool|mergetool|guitool|man)\.path$|^core\.(hookspath|attributesfile)$|^init\.templatedir$|^http\.(proxy)?(ssl(cainfo|capath|cert|key)|cookiefile)$|^gpg\.(allowedsignersfile|revocationfile)$|^instaweb\.modulepath$|^sendemail\.(aliasesfile|smtpsslcertpath)$/

/** The value is a line for a shell, or a program with its arguments. */
const LINES =
  /^(alias|credential|difftool|filter|guitool|hook|mergetool|pager|tar|trailer)\.|^lfs\.(path|args|clean|smudge)$|^core\.(fsmonitor|sshcommand|askpass|editor|pager|gitproxy|alternaterefscommand)$|^sequence\.editor$|^gpg\.(program|defaultkeycommand)$|^(browser|man)\.cmd$|^diff\.(command|textconv|external)$|^merge\.driver$|^interactive\.difffilter$|^imap\.tunnel$|^instaweb\.httpd$|^sendemail\.(sendmailcmd|smtpserver|tocmd|cccmd|headercmd)$|^remote\.(uploadpack|receivepack)$|^(uploadpack|receive|gc)\.\w*hook$/

/** The value is text, a name or an address; or data such as a list of ignored names, which configures nothing. */
const DATA =
  /^(user|author|committer|branch|color|column|i18n|url|safe|gui|maintenance|scalar|worktree|format|log|extensions|blame|notes|advice|lfs|commit|mailmap|push|fetch)\.|^core\.(worktree|excludesfile|repositoryformatversion)$|^remote\.|^submodule\.(url|path|branch|active|ignore)$|^(init|clone)\.default\w*$/

const INTERPRETERS =
  /^(ba|da|k|z|fi)?sh$|^(node|deno|bun|perl|ruby|php|lua|awk|gawk|source|tclsh|rscript)$|^python[\d.]*$|^make$/i

/** Files that a program reads although its line does not name them. */
const PROGRAM_FILES: readonly (readonly [program: RegExp, files: readonly string[]])[] = [
  [/^g?make$/, ['Makefile', 'makefile', 'GNUmakefile']],
  [/^(npm|pnpm|yarn|bun|npx)$/, ['package.json']],
  [/^just$/, ['justfile', 'Justfile', '.justfile']],
]

/** Returns the paths that a setting names if git runs them or reads them as configuration. */
export function namedPaths({ key, value }: GitSetting): readonly NamedPath[] {
  if (PATHS.test(key)) return value === '' ? [] : [{ text: value, isFile: false }]
  // A person types an alias, as they would type what it stands for; it often names directories to look at.
  if (key.startsWith('alias.')) return wordsIn(value, true).map(({ text }) => ({ text, isFile: true }))
  if (LINES.test(key)) return [...wordsIn(value, true), ...programFiles(value)]
  if (key === 'remote.url' && value.startsWith('ext::')) return wordsIn(value.slice(5), true)
  if (key === 'submodule.update') return value.startsWith('!') ? wordsIn(value, true) : []
  return DATA.test(key) ? [] : wordsIn(value, false)
}

/** Where words of a line begin and end, whatever quotes stand around them. */
const BETWEEN = /[\s'"`;|&()<>{}=,!]+/

/**
 * Returns the words of a line that may be paths. The first word without a slash is a program of the PATH. A later one
 * counts if it looks like a file's name or if an interpreter is in the line.
 */
function wordsIn(line: string, isRun: boolean): readonly NamedPath[] {
  const words = line.split(BETWEEN).filter(word => word !== '')
  const isInterpreted = words.some(word => INTERPRETERS.test(word.slice(word.lastIndexOf('/') + 1)))
  return words.flatMap((written, at): NamedPath[] => {
    // `-Fconf/ssh` joins an option and its value.
    const word = written.replace(/^-\w(?=[^-].*\/)/, '')
    if (word.startsWith('-') || /^[.]*$/.test(word) || word.includes('://')) return []
    if (word.includes('/')) return [{ text: word, isFile: !isRun }]
    if (!isRun || at === 0) return []
    return /[^.]\.\w/.test(word) || (isInterpreted && /^[\w@+-]+$/.test(word)) ? [{ text: word, isFile: true }] : []
  })
}

const programFiles = (line: string): readonly NamedPath[] =>
  line
    .split(BETWEEN)
    .flatMap(word => PROGRAM_FILES.flatMap(([program, files]) => (program.test(word) ? files : [])))
    .map(text => ({ text, isFile: true }))
