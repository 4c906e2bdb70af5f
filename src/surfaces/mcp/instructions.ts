/** A parameter with the same meaning in every tool of our own contract. */
interface SharedParameter {
  /** The tools that have it; a client may have only others. */
  readonly of?: readonly string[]
  readonly about: (has: (tool: string) => boolean) => string
}

const PARAMETERS: Readonly<Record<string, SharedParameter>> = {
  path: {
    about: () =>
      'a file or directory; default: the whole workspace. `read` and `grep` also accept `ref:ID`, the full text of a cut answer.',
  },
  limit: { about: () => 'the most results; the answer says if there are more.' },
  name: { of: ['callers', 'references'], about: () => '`Class.method` and `path`, its file, say which one.' },
  errorType: { of: ['fixes', 'remember'], about: () => 'exception class or error code, such as TypeError or TS2345.' },
  language: { of: ['fixes', 'remember'], about: () => 'programming language, such as typescript.' },
  skip: { about: () => 'where to continue; the end of a cut answer gives it.' },
  expect: {
    of: ['write', 'edit'],
    about: () => 'the hash of the file when it was read; a different hash is a conflict.',
  },
  hidden: { about: () => '`false` omits names that begin with a dot.' },
  effects: {
    of: ['write', 'edit', 'patch', 'move', 'delete', 'refactor', 'run', 'undo', 'stage'],
    about: () =>
      'whether the answer reports what a change breaks: `off` nothing, `quick` (default) what is known at once, `complete` waits for everything.',
  },
  waitMs: {
    of: ['symbols', 'callers', 'references', 'effects', 'refactor', 'graph'],
    about(has) {
      const patient = ['refactor', 'graph'].filter(has).map(tool => `\`${tool}\``)
      return [
        'how long to wait for a language server',
        has('symbols') ? ', for `symbols` the index' : '',
        '; default 2000',
        patient.length > 0 ? `, for ${patient.join(' and ')} as long as the call may take` : '',
        '. After that the text answers, marked `provisional` or `partial`: ask again.',
        has('refactor') ? ' `refactor` then changes nothing.' : '',
      ].join('')
    },
  },
}

/** Reports whether the instructions explain a parameter, so that the tool list need not. */
export const isSharedParameter = (name: string): boolean => Object.hasOwn(PARAMETERS, name)

/** A client may have only tools that read. */
const CHANGING = ['write', 'edit', 'patch', 'move', 'delete']
const ON_CHANGES =
  'Read a file before you change it: if it changed since, a write is a conflict, and an edit is applied only where its old text is unique. One call changes everything it names, or nothing.'

/** Returns the instructions for a model on all tools, and on shared parameters if `ours` are among them. */
export const instructions = (root: string | undefined, ours: ReadonlySet<string>): string =>
  [
    `Tools for the files and commands of one workspace, ${root ?? "the client's first root, or else the directory in which this server was started"}. Paths are relative to it; nothing outside can be reached.`,
    ...(ours.size > 0 && CHANGING.every(tool => !ours.has(tool)) ? [] : [ON_CHANGES]),
    'The user decides what is allowed, and is asked about some calls. A refusal says what to do next; repeating the same call is refused again.',
    'A long answer is cut and says how to get the rest: request a range or fewer matches.',
    ...(ours.size > 0 ? ['Parameters of several tools:', ...sharedBy(ours)] : []),
  ].join('\n')

const sharedBy = (tools: ReadonlySet<string>): readonly string[] =>
  Object.entries(PARAMETERS)
    .filter(([, { of }]) => of === undefined || of.some(tool => tools.has(tool)))
    .map(([name, { about }]) => `- \`${name}\`: ${about(tool => tools.has(tool))}`)
