import { FIXES_HELP } from './fixes/help.ts'
import { EVERY_CALL } from './tool-command/every-call.ts'

/** Purpose and usage of each command: one table for the overview, the help of a command and the docs. */
export const COMMANDS: Readonly<
  Record<string, { readonly about: string; readonly usage: string; readonly more?: string }>
> = {
  call: {
    about: 'Call one tool, or many from standard input',
    usage: "toolwright call <tool> '<json>' [options]\ntoolwright call --jsonl [options]",
    more: `  --contract ID        which contract's tools (default: toolwright)
  --root DIR           the workspace (default: found from the current directory upwards)
  --config FILE        a configuration file in place of the user's own
  --profile NAME       the lists of commands that the configuration has under this name; default: TOOLWRIGHT_PROFILE
  --dry-run            change nothing; show the diff and the plan
  --plan ID            apply exactly what the dry run with this plan showed, or fail with conflict
  --transaction ID     stage into this transaction; it lands with 'stage {"action":"commit"}'
  --yes                answer every question with yes (never overrides a deny)
  --read-only          only tools that change nothing
  --allow PERMISSION   grant beforehand, e.g. fs:write:src/** (may be repeated)
  --deny PERMISSION    deny whatever allows it, e.g. 'exec:git push' (may be repeated)
  --component ID       the task that budgets are counted for
  --wait-for-approval TIME  where no one can be asked, wait this long (30s, 5m, 1h) for 'toolwright approve'
  --effects WHICH      report what a change breaks: off, quick (known at once; needs 'toolwright up'),
                       or complete (waits). Default: the configuration
  --deterministic      fixed time, names and environment, no network: the same calls give the same bytes, except
                       for what a command reads from the system: file times, the kernel's random numbers,
                       and without libfaketime the clock
  --record FILE        record the calls for 'toolwright replay'
  --jsonl              read {"tool":…,"input":…,"contract"?:…,"component"?:…} lines, write one
                       result line each
  --json               print the contract's exact result

The input may be '-' to read it from standard input.`,
  },
  tools: {
    about: 'List the tools and their schemas, or show those of these names',
    usage:
      'toolwright tools [NAME …] [--contract ID] [--format json|openai|anthropic|gemini|mcp] [--read-only]\ntoolwright tools --contract superconnect --prompt react|angular\ntoolwright tools --contract debug-assistant --prompt system',
  },
  grep: {
    about: 'Search the contents of files',
    usage: 'toolwright grep PATTERN [PATH …] [options]\ntoolwright grep -e PATTERN [-e PATTERN …] [PATH …] [options]',
    more: `  -e, --regexp PATTERN      find lines with any of these (may be repeated)
  -i, --ignore-case         ignore upper and lower case
  -w, --word-regexp         match whole words only
  -F, --fixed-strings       the pattern is text, not an expression
  -v, --invert-match        lines that do not match
  -U, --multiline           a match may cross line ends
  -o, --only-matching       each match without the rest of its line
  -l, --files-with-matches  only the files
  -c, --count               only the number of lines in each file; with -U of matches
  -n, --line-number         accepted for habit; lines are always numbered
  -A, --after-context N     lines after each match
  -B, --before-context N    lines before each match
  -C, --context N           lines around each match
  -g, --glob GLOB           only these files, after ! not these (may be repeated); unlike ripgrep's,
                            it does not include ignored files
  -t, --type TYPE           only files of this type, as ripgrep calls it: ts, py, rust (may be repeated)
      --no-hidden           leave out names that begin with a dot
      --strict              check every file before the answer, bypassing the index
      --limit N, --skip N   show at most N results of all paths, after skipping N; default 2000,
                            and the output says if there are more

Expressions are those of ripgrep. Ignored files, binary files and files that rules deny are left out.
Paths are relative to the current directory, which is the default. Lines are grouped by file on a terminal, and path:line:text elsewhere.
An empty pattern matches every line. A path that cannot be searched is reported, and the others are searched.
Exit codes: 0 found, 1 nothing found or failed, 2 usage, 3 refused.

${EVERY_CALL}`,
  },
  find: {
    about: 'Find files by a glob',
    usage: 'toolwright find GLOB [PATH] [options]',
    more: `  --no-hidden          leave out names that begin with a dot
  --strict             check every directory before the answer, bypassing the index
  --limit N, --skip N  show at most N files, after skipping N; default 10000

A glob without / matches names anywhere: find '*.ts'. With /, the whole path below PATH must match.
Exit codes: 0 found, 1 nothing found or failed, 2 usage, 3 refused.

${EVERY_CALL}`,
  },
  index: {
    about: 'Update, count or query the index of the code',
    usage: `toolwright index build
toolwright index [status] [--json]
toolwright index query exports|tag|symbol|prefix VALUE [--limit N] [--skip N] [--json]
toolwright index query all [--limit N] [--skip N] [--json]
toolwright index export`,
    more: `  --limit N, --skip N  show at most N files, after skipping N; default 100

'export' prints the whole index as one JSON document, in the schema of superconnect.
'build' waits until every file is read, with a progress bar on a terminal; the next process starts from the stored index.
Exit codes: 0 found, 1 nothing found or failed, 2 usage, 3 refused.

${EVERY_CALL}`,
  },
  callers: {
    about: 'Show the callers of a function, and their callers',
    usage: 'toolwright callers NAME [options]',
    more: `  --file FILE          the file that defines it; default: found in the index
  --depth N            how many calls away, default 2
  --wait SECONDS       how long to wait for a language server that is loading, default 30
  --limit N, --skip N  show at most N calls, after skipping N; default 5000

NAME may be Class.method or outer.inner.
The function is the root of the tree; each caller has the line of its call.
If the language server does not answer in time, the answer comes from the text and is provisional. On a terminal the server keeps loading in the resident process: ask again.
Exit codes: 0 found, 1 no callers or failed, 2 usage, 3 refused.

${EVERY_CALL}`,
  },
  graph: {
    about: 'Query the code graph in Cypher, or compare two commits',
    usage: `toolwright graph 'MATCH …' [options]
toolwright graph diff A [B] [--json]`,
    more: `  --params JSON        the values of $names in the query, e.g. '{"name": "main"}'
  --commit COMMIT      a hash, branch, tag or HEAD~3; default: the current workspace
  --limit N            show at most N rows (default 200)
  --wait SECONDS       how long to wait for the graph, default 110

toolwright graph 'MATCH (a)-[:CALLS]->(b:Function) WHERE b.name = "main" RETURN a.id, b.id'
'diff' lists added and removed functions, calls and exports; B defaults to the workspace.
Labels and relations are in the description of the tool: toolwright tools graph.
Exit codes: 0 found, 1 nothing found or failed, 2 usage, 3 refused.

${EVERY_CALL}`,
  },
  fixes: FIXES_HELP,
  agent: {
    about: 'Let a model work on a task with these tools, within limits',
    usage:
      'toolwright agent TASK --model PROVIDER/NAME [--base-url URL] [--api-key-env VAR] [--contract ID …] [--max-turns N] [--max-total-tokens N] [--max-seconds N] [--output-schema FILE] [--staged] [--resume ID] [--root DIR] [--config FILE] [--allow PERMISSION …] [--yes] [--json]\ntoolwright agent --acp --model PROVIDER/NAME [options]',
    more: `  --model PROVIDER/NAME   openai, anthropic, google, ollama, lmstudio, vllm, or openai-compatible for any address
  --base-url URL          the address of the provider
  --api-key-env VAR       the variable that holds the key; default: the provider's usual one
  --contract ID           which contract's tools (default: toolwright); with several, names become ID_tool
  --max-turns N           the most answers of the model
  --max-total-tokens N    the most input and output tokens of all requests together
  --max-seconds N         the most time
  --output-schema FILE    the answer must be JSON of this schema
  --staged                land nothing until validators pass and a person agrees
  --resume ID             go on with a run that was stopped; TASK is then optional
  --allow PERMISSION      grant beforehand, e.g. fs:write:src/** (may be repeated)
  --deny PERMISSION       deny whatever allows it, e.g. 'exec:git push' (may be repeated)
  --yes                   answer every question with yes
  --record FILE           record the run for 'toolwright replay'
  --acp                   serve an editor that speaks the Agent Client Protocol, over standard input and output
  -v, --verbose           show what each call answered
  --json                  one line of JSON for each event; the last line is the result

toolwright agent "make the cart tests stable" --model ollama/qwen3
Without TASK, it is read from standard input. No limit holds unless it is set here or in the configuration.
Exit codes: 0 completed, 1 failed or a limit was reached, 2 usage, 3 refused, 130 stopped with Ctrl-C.`,
  },
  mcp: {
    about: 'Serve the tools to an MCP client over standard input and output',
    usage:
      'toolwright mcp [--contract ID …] [--root DIR] [--config FILE] [--read-only] [--allow PERMISSION …] [--deny PERMISSION …] [--component ID] [--wait-for-approval TIME] [--profile NAME] [--tools core] [--structured WHEN] [--record FILE]',
    more: `  --contract ID        which contract's tools (default: toolwright); with several, names become ID_tool
  --root DIR           the workspace (default: found from the current directory upwards)
  --config FILE        a configuration file in place of the user's own
  --profile NAME       the lists of commands that the configuration has under this name; default: TOOLWRIGHT_PROFILE
  --read-only          only tools that change nothing
  --allow PERMISSION   grant beforehand, e.g. fs:write:src/** (may be repeated)
  --deny PERMISSION    deny whatever allows it, e.g. 'exec:git push' (may be repeated)
  --component ID       the task that budgets are counted for
  --wait-for-approval TIME  where no one can be asked, wait this long (30s, 5m, 1h) for 'toolwright approve'
  --tools core         only read, write, edit, patch, list, find, grep, run and undo of toolwright
  --structured WHEN    never, auto or always: structured content beside the text, for the tools of toolwright;
                       auto (default) omits it if a client would pass JSON to the model in place of the text
  --record FILE        record the calls for 'toolwright replay'

A client starts this command itself: 'toolwright tour' prints what to put into its configuration.
Questions go to the client if it can show them. The command ends with its input or its parent.`,
  },
  serve: {
    about: 'Serve workspaces over HTTP on this machine, for other programs',
    usage: 'toolwright serve [--root DIR …] [--port N] [--open] [--config FILE] [--json]',
    more: `  --root DIR     a workspace (may be repeated; default: found from the current directory upwards)
  --port N       the port on 127.0.0.1; default: the last one if it is free, otherwise any
  --open         open the page in the browser
  --config FILE  a configuration file in place of the user's own
  --json         print one line first: {"url":…,"tokenFile":…}

Prints what is served, a link that opens the page once, and how to connect a client.
curl -H "Authorization: Bearer $(cat TOKENFILE)" URL/v1/tools
'toolwright token' makes tokens for clients. They belong to the first workspace.
If a server already has the workspace, its address is printed, and the exit code is 0.
Ctrl-C stops it after the requests that are being answered.`,
  },
  token: {
    about: "Make, list and revoke the tokens of the clients of 'toolwright serve'",
    usage: `toolwright token new --name NAME [--scope read,call] [--root DIR] [--json]
toolwright token list [--root DIR] [--json]
toolwright token revoke NAME [--root DIR] [--json]`,
    more: `  --name NAME    the name of the client
  --scope LIST   what it may do: read, call, approve; default read,call
  --root DIR     the workspace that is served first (default: found from the current directory upwards)

'new' prints the token once. 'revoke' holds for the next request.
read looks, call makes calls as far as policy allows, approve answers questions and changes what is allowed.`,
  },
  replay: {
    about: 'Run recorded calls again without touching the machine, and show the first difference',
    usage: 'toolwright replay FILE [--live-tools] [--json]',
    more: `  --live-tools   make the calls of a recorded run again in this workspace, with the recorded answers of its model
  --root DIR, --allow PERMISSION, --yes   as for 'agent'; only with --live-tools

A recording is made by call, mcp or agent with --record FILE; it holds no secrets.
Exit codes: 0 all calls match the recording, 1 one differs, 2 the file is damaged or not a recording.`,
  },
  approve: {
    about: 'List the questions that wait for a person here, show one, and answer it',
    usage: `toolwright approve [--json]
toolwright approve ID [--yes | --no | --always | --hunks 1,3] [--reason TEXT] [--json]`,
    more: `  --yes, --no        allow it once, or refuse it
  --always           allow it, and remember that
  --hunks 1,3        land only these hunks of an edit, a patch, a write or a transaction
  --reason TEXT      tell the model why

ID may be shortened. Without an answer it shows the question, and asks at a terminal.
The first answer counts, wherever it is given. Exit codes: 0 ok, 1 already answered or unknown, 2 usage.`,
  },
  log: {
    about: 'Show what was done here, who allowed it, and whether the record is intact',
    usage: `toolwright log [FILTER …] [--last N] [--tail] [--json]
toolwright log show ID [--json]
toolwright log --stats [--last N] [--contract ID] [--json]
toolwright log verify [--head HASH] [--json]`,
    more: `  --path PATH               calls that touched this file, anything below this directory, or matches of a glob
  --tool NAME               calls of this tool or command, such as edit, rename or sage/*
  --verdict allow|ask|deny  what policy decided
  --failed                  failed calls, commands and checks
  --task ID                 calls of this task
  --since TIME              from this time on: 30m, 2h or 3d ago, 2026-11-16 or 2026-11-16T14:00
  --until TIME              up to this time

Times are local; with --json they are UTC.
'show' prints everything about one call: input, claims, rule, diff, effects and output. ID is at the end of a line of the log.
Shows the newest 50 by default.`,
  },
  undo: {
    about: 'Undo a commit by its id, or all of a task; default: the newest',
    usage: `toolwright undo [ID] [options]
toolwright undo --task ID [options]
toolwright undo --list [--json]`,
    more: `  --list           what can be undone, the newest first
  --task ID        all that this task did, such as a run of the agent, and nothing that others did
  --effects WHICH  report what the change breaks: off, quick (known at once) or complete (waits)

${EVERY_CALL}`,
  },
  policy: {
    about: 'Show and change what is allowed without asking; check what would be decided',
    usage: `toolwright policy list [--json]
toolwright policy add TOOL (--path GLOB … | --pattern REGEX) [--scope workspace|user] [--expires DAYS] [--why TEXT]
toolwright policy add [TOOL] --command WORDS … [--scope workspace|user] [--expires DAYS] [--why TEXT]
toolwright policy add --deny PERMISSION … [--scope workspace|user] [--why TEXT]
toolwright policy remove ID
toolwright policy enable ID | disable ID
toolwright policy check COMMAND [--allow PERMISSION …] [--deny PERMISSION …] [--json]
toolwright policy check (--read | --create | --write) PATH
toolwright policy check HOST --host
toolwright policy check --jsonl [--config FILE] [--profile NAME]
toolwright policy lint [--json]`,
    more: `  --command WORDS      remember yes for commands that begin with these words, as a rule "allow" covers them
  --deny PERMISSION    'add' stores a rule that denies, e.g. 'exec:git push': for every tool, without an end;
                       'check' tries one
  --allow PERMISSION   'check' tries this permission
  --scope WHERE        workspace (default) or user, which is every workspace
  --expires DAYS       when a remembered answer ends; default: the configuration
  --host               'check' takes a host: example.com or https://example.com:8443
  --jsonl              'check' reads {"command":…} or {"tool":…,"input":…,"contract"?:…} lines
                       and writes {"verdict":"allow|ask|deny","rule":…,"why":…} lines

toolwright policy check "git push origin main"
toolwright policy check --write src/a.ts
'check' runs nothing. It prints the verdict, the rule that decided and where it stands, the claims, and what
would hold when programs start.
'lint' names rules that others shadow, that none of the newest 1,000 calls matched, or that allow more than they
seem to; exit 0 if there are none, otherwise 1.
Exit codes of 'check': 0 allowed, 1 a person is asked, 2 usage, 3 denied; with --jsonl 0.`,
  },
  budget: {
    about: 'Show what tasks have spent of their budgets, or reset one',
    usage: `toolwright budget [list] [--json]
toolwright budget reset TASK [--json]`,
    more: `'--component' names a task. Its calls count across all processes until its budgets are reset here;
the journal records the reset and who did it. Calls that run meanwhile stay counted.
Exit codes: 0 ok, 1 nothing was spent, 2 usage.`,
  },
  trust: {
    about: "Trust this project's toolwright.json as it is now, so that it may widen what is allowed",
    usage: 'toolwright trust [--revoke | --list] [--root DIR]',
  },
  up: {
    about: 'Start the process that holds the index of this workspace, so that searches need not read the files',
    usage: 'toolwright up [--status | --stop] [--root DIR] [--config FILE] [--json]',
    more: `  --status             show what it holds, without starting it (exit 1 if there is none)
  --stop               end it
  --root DIR           the workspace (default: found from the current directory upwards)
  --config FILE        a configuration file in place of the user's own
  --json               print what it holds as JSON

'toolwright mcp' starts it with the first search. It ends when idle. Nothing depends on it:
without it every search reads the files.`,
  },
  down: {
    about: 'End the process that holds the index of this workspace',
    usage: 'toolwright down [--root DIR] [--config FILE] [--json]',
  },
  gc: {
    about: 'Shrink the state directory to its limit',
    usage: 'toolwright gc [--max-bytes N] [--max-age DAYS] [--json]',
  },
  doctor: {
    about: 'Report what protects you on this machine, and what does not',
    usage: 'toolwright doctor [--json] [--root DIR]',
  },
  init: {
    about: 'Connect an MCP client: show one entry of its settings, write it on yes, take it back',
    usage: `toolwright init claude-code|codex|cursor|vscode|zed|gemini|opencode|copilot|generic [options]
toolwright init CLIENT --undo
toolwright init`,
    more: `  --undo     take the entry back: the file as it was, or without the entry if someone else has written since
  --dry-run  show the change, and write nothing
  --http     connect to the server of 'toolwright serve', with a token of the client's own (read, call)
  --yes      write without a question

Everything else in the file stays byte for byte. A file that does not parse is refused.
Without a name it lists the clients that have settings here, and asks which one. 'generic' writes .mcp.json in the workspace.`,
  },
  tour: { about: 'A short tour of real calls on this workspace', usage: 'toolwright tour [--root DIR]' },
  completion: {
    about: 'Print a script that completes commands and options in a shell',
    usage: 'toolwright completion bash|zsh|fish',
    more: `bash, in ~/.bashrc:  source <(toolwright completion bash)
zsh, in ~/.zshrc:    source <(toolwright completion zsh)
fish:                toolwright completion fish > ~/.config/fish/completions/toolwright.fish`,
  },
  help: { about: 'Show this, or the help of one command', usage: 'toolwright help [COMMAND]' },
}

/** Lists every command in one line each: tools first, then those for the workspace and this program. */
export async function overview(version: string): Promise<string> {
  const { OWN_OUTPUT } = await import('./tool-command/table.ts')
  // Stored: to make them, the schemas of all tools would have to be loaded.
  const { default: summaries } = await import('./tool-command/summaries.json', { with: { type: 'json' } })
  const summaryRows = Object.entries(summaries)
  const others = Object.entries(COMMANDS).map(([name, { about }]) => [name, about] as const)
  const isTool = ([name]: Row): boolean => OWN_OUTPUT.includes(name)
  const tools = [...summaryRows, ...others.filter(isTool)].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const rest = others.filter(row => !isTool(row))
  const width = Math.max(...[...tools, ...rest].map(([name]) => name.length))
  const lines = (rows: readonly Row[]): string =>
    rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about.replaceAll('`', "'")}`).join('\n')
  return `toolwright ${version}: the tool layer that coding agents work through

Usage: toolwright <command> [options]

Tools:
${lines(tools)}

Workspace and program:
${lines(rest)}

Exit codes: 0 ok, 1 the tool failed, 2 usage, 3 refused`
}

type Row = readonly [name: string, about: string]

/** Returns the help of one command, or undefined if there is none of this name. */
export async function helpFor(name: string): Promise<string | undefined> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command) return [`${command.about}.`, '', command.usage, ...(command.more ? ['', command.more] : [])].join('\n')
  const { describeCommand, helpText } = await import('./tool-command/describe.ts')
  const description = await describeCommand(name)
  return description && helpText(description)
}

/** Returns the usage lines of a command. */
export async function usageOf(name: string): Promise<readonly string[] | undefined> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command) return command.usage.split('\n')
  const { describeCommand } = await import('./tool-command/describe.ts')
  const { usageLines } = await import('./tool-command/usage-line.ts')
  const description = await describeCommand(name)
  return description && usageLines(description.name, description.command, description.parameters)
}
