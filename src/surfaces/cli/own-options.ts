import type { ParseArgsOptionsConfig } from 'node:util'
import { CALL_OPTIONS } from './usage.ts'

const PAGE = { limit: { type: 'string' }, skip: { type: 'string' } } as const

/** Options of commands with their own output: those of every call, and those in `help.ts`. */
export const OWN_OPTIONS = {
  grep: {
    ...CALL_OPTIONS,
    regexp: { type: 'string', short: 'e', multiple: true },
    'ignore-case': { type: 'boolean', short: 'i' },
    // Accepted out of habit; lines are always numbered.
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
  find: { ...CALL_OPTIONS, 'no-hidden': { type: 'boolean' }, strict: { type: 'boolean' }, ...PAGE },
  callers: { ...CALL_OPTIONS, file: { type: 'string' }, depth: { type: 'string' }, wait: { type: 'string' }, ...PAGE },
  graph: {
    ...CALL_OPTIONS,
    commit: { type: 'string' },
    limit: { type: 'string' },
    params: { type: 'string' },
    wait: { type: 'string' },
  },
  index: { ...CALL_OPTIONS, ...PAGE },
  agent: {
    model: { type: 'string' },
    'base-url': { type: 'string' },
    'api-key-env': { type: 'string' },
    contract: { type: 'string', multiple: true },
    'max-turns': { type: 'string' },
    'max-total-tokens': { type: 'string' },
    'max-seconds': { type: 'string' },
    'output-schema': { type: 'string' },
    staged: { type: 'boolean' },
    resume: { type: 'string' },
    allow: { type: 'string', multiple: true },
    deny: { type: 'string', multiple: true },
    yes: { type: 'boolean' },
    'wait-for-approval': { type: 'string' },
    'prompt-only': { type: 'boolean' },
    record: { type: 'string' },
    acp: { type: 'boolean' },
    verbose: { type: 'boolean', short: 'v' },
  },
  replay: { ...CALL_OPTIONS, 'live-tools': { type: 'boolean' } },
  undo: {
    ...CALL_OPTIONS,
    list: { type: 'boolean' },
    task: { type: 'string' },
    effects: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, ParseArgsOptionsConfig>>
