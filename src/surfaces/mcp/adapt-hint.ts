/** Rewords a hint, written for every surface, for a model: it has no command line, but its person does. */
export const adaptHint = (hint: string): string =>
  SAID_ELSEWHERE.reduce((text, [elsewhere, here]) => text.replace(elsewhere, here), hint)

/** Hints that name what a tool does which a client may not have, and what it can do instead. */
const SAID_WITH: readonly (readonly [tool: string, said: string, without: string])[] = [
  ['remember', 'Record one when the error is fixed', 'Ask again in other words, or do without it'],
]

/** Replaces a hint that needs a tool which is not among `tools`. */
export const hintFor = (tools: ReadonlyMap<string, string>, hint: string): string =>
  SAID_WITH.find(([tool, said]) => said === hint && !tools.has(tool))?.[2] ?? hint

/** Sentences start with a capital. */
const SENTENCE_START = /(^|[.!?] )have a person/g

const SAID_ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/ \(toolwright up\)/g, ''],
  [/[;,] toolwright up --status says how it is/g, ''],
  [/\btoolwright (\w+(?: \w+)?(?: --task \S+)?) (says|shows|lists)\b/g, 'have a person run toolwright $1, which $2'],
  [/\b[Rr]un toolwright\b(?<!person run toolwright)/g, 'have a person run toolwright'],
  [/\bremove it with toolwright\b/g, 'have a person remove it with toolwright'],
  [/\bA recording is made by toolwright\b/g, 'A person makes a recording with toolwright'],
  [SENTENCE_START, '$1Have a person'],
  [
    / \((--\S+ '[^']*'(?: --\S+ '[^']*')*|--allow) on the command line\)/g,
    ' (a person adds $1 to the command that starts this server)',
  ],
  [
    /,? or leave out (--\S+) on the command line/g,
    ', or have a person leave out $1 in the command that starts this server',
  ],
  [/, or answer beforehand with --yes on the command line/g, ''],
  [/;? ?the same call with --plan \S+ then lands this result/g, ''],
  [/: look at it again with a new dry run\b/g, ': read it, then make the call again if it is still right'],
  [
    /, then make a new dry run: plan \S+ is for the file as it was\b/g,
    ', then make the call again if it is still right',
  ],
  [/\bstage begin\b/g, 'stage {"action":"begin"}'],
]
