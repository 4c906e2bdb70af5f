/** Purpose and usage of `toolwright fixes`. */
export const FIXES_HELP = {
  about: 'Record past fixes, and find them again by meaning and by name',
  usage: `toolwright fixes add [--error TEXT --cause TEXT --solution TEXT] [options]
toolwright fixes search WORDS … [--words] [--limit N] [FILTER …]
toolwright fixes list [--limit N] [--skip N] [FILTER …]
toolwright fixes show ID
toolwright fixes edit ID [options]
toolwright fixes validate ID [--refute]
toolwright fixes remove ID
toolwright fixes import [FILE]
toolwright fixes export [FILTER …]
toolwright fixes doctor [--repair]`,
  more: `  --error TEXT             the error as it was seen: message, stack trace, symptom
  --cause TEXT             why it happened
  --solution TEXT          what fixed it
  --type NAME              exception class or error code, such as TypeError or TS2345; also a FILTER
  --language NAME          programming language; also a FILTER
  --validated              a person has confirmed it; as a FILTER only such fixes
  --min-confidence N       a FILTER: only fixes with at least this confidence, 0 to 1
  --confidence N           how sure the analysis is, 0 to 1; default 0.7
  --fixed-in PATH          the file that was changed
  --commit ID              the commit that fixed it
  --transaction ID         the transaction that fixed it
  --tried TEXT             what was tried in vain (may be repeated)
  --failed TEXT            why that failed, in the same order
  --into ID                merge it into this fix
  --even-if-similar        store it though another fix says the same
  --refute                 'validate' marks it as wrong: no search with a minimum confidence finds it
  --repair                 'doctor' first saves what can be read of a damaged file into a new one, and embeds what has no vector
  --words                  search by words alone, without the model
  --limit N, --skip N      show at most N, after skipping N; default 50, 5 for 'search'
  --json                   print JSON
  --root DIR               the workspace (found from the current directory upwards unless given)
  --config FILE            a configuration file in place of the user's own

'add' and 'edit' also take one JSON object on standard input. On a terminal 'add' asks for what is missing.
'import' and 'export' use JSON lines, one fix each; docs/memory.md has the schema. Importing twice replaces.
Secrets are removed before anything is stored. Fixes of all workspaces are in one place: see "memory" in the configuration.
Exit codes: 0 ok, 1 nothing found, a near duplicate, or failed, 2 usage, 3 refused.`,
}
