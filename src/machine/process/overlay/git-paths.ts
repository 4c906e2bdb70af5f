/** What may change in a repository's own directory: its content and where it stands, nothing that configures or runs. */
const FILES = new Set(
  (
    'HEAD ORIG_HEAD FETCH_HEAD MERGE_HEAD MERGE_MSG MERGE_MODE MERGE_RR AUTO_MERGE CHERRY_PICK_HEAD REVERT_HEAD REBASE_HEAD ' +
    'COMMIT_EDITMSG TAG_EDITMSG NOTES_EDITMSG SQUASH_MSG BISECT_LOG BISECT_NAMES BISECT_START BISECT_TERMS BISECT_EXPECTED_REV ' +
    'BISECT_ANCESTORS_OK packed-refs index shallow'
  ).split(' '),
)
/** What a split index goes on from; without it the index is worth nothing. */
const SHARED_INDEX = /^sharedindex\.([0-9a-f]{40}|[0-9a-f]{64})$/
const TREES = ['objects', 'refs', 'logs', 'rebase-merge', 'rebase-apply', 'sequencer']
/** Each of these names a place or a program that git goes to by itself. */
const NEVER =
  /^objects\/info\/(alternates|http-alternates)$|^rebase-(merge|apply)\/(strategy|strategy_opts|gpg_sign_opt|git-rebase-todo\.backup)$|^sequencer\/opts$/

/** Reports whether a path has to do with a repository's own directory, the workspace's or one inside it. */
export const isGitPath = (path: string): boolean => path === '.git' || /(^|\/)\.git(\/|$)/.test(path)

/** Reports whether a change at this path, made by a command, may reach the workspace's repository. */
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

/** Steps that move commits about and run nothing. */
const STEP =
  /^\s*(#.*|(pick|p|revert|edit|e|reword|r|squash|s|fixup|f|drop|d|label|l|reset|t|merge|m|update-ref|u)\s.*|break|b|noop)?\s*$/

/** A list of steps that git follows when a rebase goes on; one that may run a command must not come from a command. */
export const runsCommands = (path: string, text: string): boolean =>
  /^\.git\/(rebase-merge\/git-rebase-todo|sequencer\/todo)$/.test(path) &&
  !text.split('\n').every(line => STEP.test(line))

/** Content before what points at it, so that whoever looks in between finds nothing that is missing. */
export const gitOrder = (path: string): number => {
  const inside = path.slice('.git/'.length)
  const order = ['objects', 'logs', 'refs', 'packed-refs', 'sharedindex', 'index']
  const at = order.findIndex(name => inside === name || inside.startsWith(`${name}/`) || inside.startsWith(`${name}.`))
  return at < 0 ? order.length : at
}
