import type { ParseArgsOptionsConfig } from 'node:util'

/** Options of the commands for people that look something up through one tool. */
const ASKING = { allow: { type: 'string', multiple: true } } as const
const PAGE = { limit: { type: 'string' }, skip: { type: 'string' } } as const

/** What the commands take whose output is their own, beside what every command takes; their help is in `help.ts`. */
export const OWN_OPTIONS = {
  grep: {
    ...ASKING,
    regexp: { type: 'string', short: 'e', multiple: true },
    'ignore-case': { type: 'boolean', short: 'i' },
    // The habit of many: lines are numbered anyway.
    'line-number': { type: 'boolean', short: 'n' },
    'word-regexp': { type: 'boolean', short: 'w' },
    'fixed-strings': { type: 'boolean', short: 'F' },
    'invert-match': { type: 'boolean', short: 'v' },
    multiline: { type: 'boolean', short: 'U' },
    'files-with-matches': { type: 'boolean', short: 'l' },
    count: { type: 'boolean', short: 'c' },
    'after-context': { type: 'string', short: 'A' },
    'before-context': { type: 'string', short: 'B' },
    context: { type: 'string', short: 'C' },
    glob: { type: 'string', short: 'g', multiple: true },
    type: { type: 'string', short: 't', multiple: true },
    'only-matching': { type: 'boolean', short: 'o' },
    'no-hidden': { type: 'boolean' },
    strict: { type: 'boolean' },
    ...PAGE,
  },
  find: { ...ASKING, 'no-hidden': { type: 'boolean' }, strict: { type: 'boolean' }, ...PAGE },
  callers: { ...ASKING, file: { type: 'string' }, depth: { type: 'string' }, wait: { type: 'string' }, ...PAGE },
  graph: {
    ...ASKING,
    commit: { type: 'string' },
    limit: { type: 'string' },
    params: { type: 'string' },
    mermaid: { type: 'boolean' },
    svg: { type: 'boolean' },
  },
  index: { ...ASKING, ...PAGE },
  undo: {
    list: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    yes: { type: 'boolean' },
    effects: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, ParseArgsOptionsConfig>>
