/** What holds for the parameters of these names in every tool of our own contract; the list of tools does not repeat it. */
export const SHARED_PARAMETERS: Readonly<Record<string, string>> = {
  path: 'a file or directory; without it all of the workspace is meant. `read` and `grep` take `ref:ID` too, the whole of an answer that was cut.',
  skip: 'where to go on; the end of a cut answer gives it.',
  expect: 'the hash that the file was read with; it is a conflict if it has another by now.',
  hidden: '`false` leaves out names that begin with a dot.',
  effects:
    'what the answer says that a change breaks: `off` nothing, `quick` (the default) what is known at once, `complete` waits for all of it.',
  waitMs:
    'how long to wait for a language server, for `symbols` the index; 2000 unless given, for `refactor` as long as the call may take. Then the answer is read from the text and `provisional`, or `partial`: ask again. `refactor` then changes nothing.',
}

/** What a model is told once about all tools, and where ours are among them about the parameters that they share. */
export const instructions = (root: string | undefined, hasOurs: boolean): string =>
  [
    `Tools for the files and commands of one workspace, ${root ?? "the client's first root"}. Paths are relative to it; what lies outside cannot be reached.`,
    'Read a file before you change it: a file that has changed since is a conflict and stays as it is. One call changes all that it names, or nothing.',
    'The user decides what is allowed, and some calls are put to them. A refusal says what to do next; the same call again is refused again.',
    'A long answer is cut and says how to get the rest: ask for a range or for fewer matches.',
    ...(hasOurs
      ? [
          'Parameters of several tools:',
          ...Object.entries(SHARED_PARAMETERS).map(([name, about]) => `- \`${name}\`: ${about}`),
        ]
      : []),
  ].join('\n')
