/** What a model is told once about all tools. */
export const instructions = (root: string): string =>
  [
    `Tools for the files and commands of one workspace, ${root}. Paths are relative to it; what lies outside cannot be reached.`,
    'Read a file before you change it: a file that has changed since is a conflict and stays as it is. One call changes all that it names, or nothing.',
    'The user decides what is allowed, and some calls are put to them. A refusal says what to do next; the same call again is refused again.',
    'A long answer is cut and says how to get the rest: ask for a range or for fewer matches.',
  ].join('\n')
