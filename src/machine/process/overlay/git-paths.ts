/** Files of a repository that may change: content and references, nothing that configures or runs. */
const FILES = new Set(
  (
    'HEAD ORIG_HEAD FETCH_HEAD MERGE_HEAD MERGE_MSG MERGE_MODE MERGE_RR AUTO_MERGE CHERRY_PICK_HEAD REVERT_HEAD REBASE_HEAD ' +
    'COMMIT_EDITMSG TAG_EDITMSG NOTES_EDITMSG SQUASH_MSG BISECT_LOG BISECT_NAMES BISECT_START BISECT_TERMS BISECT_EXPECTED_REV ' +
    'BISECT_ANCESTORS_OK packed-refs index shallow'
  ).split(' '),
)
/** Base of a split index, which is worthless without it. */
const SHARED_INDEX = /^sharedindex\.([0-9a-f]{40}|[0-9a-f]{64})$/
const TREES = ['objects', 'refs', 'logs', 'rebase-merge', 'rebase-apply', 'sequencer']
/** Each of these names a place or a program that git uses on its own. */
const NEVER =
  /^objects\/info\/(alternates|http-alternates)$|^rebase-(merge|apply)\/(strategy|strategy_opts|gpg_sign_opt|git-rebase-todo\.backup)$|^sequencer\/opts$/

/** Reports whether a path belongs to a repository's directory, the workspace's or a nested one. */
export const isGitPath = (path: string): boolean => path === '.git' || /(^|\/)\.git(\/|$)/.test(path)

/** Reports whether a command's change at this path may reach the workspace's repository. */
export function isGitContent(path: string): boolean {
  if (!path.startsWith('.git/')) return false
  const inside = path.slice('.git/'.length)
  if (/(^|\/)\.git(\/|$)|\.lock$/.test(inside) || NEVER.test(inside)) return false
  return (
    FILES.has(inside) ||
    SHARED_INDEX.test(inside) ||
    TREES.some(tree => inside === tree || inside.startsWith(`${tree}/`))
  )
}

/** Steps that move commits and run nothing. */
const STEP =
  /^\s*(#.*|(pick|p|revert|edit|e|reword|r|squash|s|fixup|f|drop|d|label|l|reset|t|merge|m|update-ref|u)\s.*|break|b|noop)?\s*$/

/** Reports whether a list of rebase steps may run a command. Such a list must not come from a command. */
export const runsCommands = (path: string, text: string): boolean =>
  /^\.git\/(rebase-merge\/git-rebase-todo|sequencer\/todo)$/.test(path) &&
  !text.split('\n').every(line => STEP.test(line))
