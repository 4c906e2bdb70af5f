/** A parameter with the same meaning in every tool of our own contract. */
interface SharedParameter {
  /** The tools that have it; a client may have only others. */
  readonly of?: readonly string[]
  readonly about: (has: (tool: string) => boolean) => string
}

const PARAMETERS: Readonly<Record<string, SharedParameter>> = {
  path: {
    about: () =>
      'a file or directory; without it all of the workspace is meant. `read` and `grep` take `ref:ID` too, the whole of an answer that was cut.',
  },
  skip: { about: () => 'where to go on; the end of a cut answer gives it.' },
  expect: {
    of: ['write', 'edit'],
    about: () => 'the hash that the file was read with; it is a conflict if it has another by now.',
  },
  hidden: { about: () => '`false` leaves out names that begin with a dot.' },
  effects: {
    of: ['write', 'edit', 'patch', 'move', 'delete', 'refactor', 'run', 'undo', 'stage'],
    about: () =>
      'what the answer says that a change breaks: `off` nothing, `quick` (the default) what is known at once, `complete` waits for all of it.',
  },
  waitMs: {
    of: ['symbols', 'callers', 'references', 'effects', 'refactor'],
    about: has =>
      [
        'how long to wait for a language server',
        has('symbols') ? ', for `symbols` the index' : '',
        '; 2000 unless given',
        has('refactor') ? ', for `refactor` as long as the call may take' : '',
        '. Then the answer is read from the text and `provisional`, or `partial`: ask again.',
        has('refactor') ? ' `refactor` then changes nothing.' : '',
      ].join(''),
  },
}

/** Reports whether the instructions explain a parameter, so that the tool list need not. */
export const isSharedParameter = (name: string): boolean => Object.hasOwn(PARAMETERS, name)

/** Returns the instructions for a model on all tools, and on shared parameters if `ours` are among them. */
export const instructions = (root: string | undefined, ours: ReadonlySet<string>): string =>
  [
    `Tools for the files and commands of one workspace, ${root ?? "the client's first root"}. Paths are relative to it; what lies outside cannot be reached.`,
    'Read a file before you change it: a file that has changed since is a conflict and stays as it is. One call changes all that it names, or nothing.',
    'The user decides what is allowed, and some calls are put to them. A refusal says what to do next; the same call again is refused again.',
    'A long answer is cut and says how to get the rest: ask for a range or for fewer matches.',
    ...(ours.size > 0 ? ['Parameters of several tools:', ...sharedBy(ours)] : []),
  ].join('\n')

const sharedBy = (tools: ReadonlySet<string>): readonly string[] =>
  Object.entries(PARAMETERS)
    .filter(([, { of }]) => of === undefined || of.some(tool => tools.has(tool)))
    .map(([name, { about }]) => `- \`${name}\`: ${about(tool => tools.has(tool))}`)
