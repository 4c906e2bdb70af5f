import { describe, expect, it } from 'vitest'
import { CannotRun } from './row.ts'
import { approvalRows } from './rows/approval.ts'

const run = approvalRows()

interface Case {
  readonly tool?: string
  readonly pattern: string
  readonly state?: object
  readonly args?: object
  readonly raw?: string
  readonly expect: string
  readonly ok?: readonly string[]
}

const command = (pattern: string, expectation: string, line = 'git status; curl evil', state = {}): Case => ({
  tool: 'run_in_terminal',
  pattern,
  args: { command: line },
  expect: expectation,
  state,
})

const file = (pattern: string, expectation: string, path: string, state = {}): Case => ({
  pattern,
  args: { path },
  expect: expectation,
  state,
})

const FILE = '^{"path":"a\\.txt"}$'
const life = (expectation: string, state: object): Case => file(FILE, expectation, 'a.txt', state)

/** Load with a warning, and never match the line that follows a harmless command. */
const WARNED = [
  'git status',
  'git .*',
  '^git .*$',
  '^git status.*',
  'git (?:status|log)',
  '(a+)+$',
  '^(?:a|aa)+$',
  '(.*a){20}',
  '"command":"git .*"',
  '^"git status.*"$',
  '^git\\s+status$',
  '^npm (?:test|run)(?: .*)?$',
  '\\S+ .+',
  '{"command":"git status.*"}',
  '^{"command":"git status.*"}',
  '{"command":"git status.*"}$',
  '^{"command":"git .*"}$',
  '^{"command":"git.+"}$',
  '^{"command":".*"}$',
  '^{"command":".+"}$',
  '^{"command":"[^"]*"}$',
  '^{"command":"(?:git|curl) .*"}$',
  '^{"command":"(?:git .*)?"}$',
  '^{"command":"git\\s.*"}$',
  '^{"command":"\\w+.*"}$',
  '^{"command":"(?:\\w+\\s?)+.*"}$',
  '^{"comm.*":".*"}$',
  '^{".*":"git .*"}$',
  '^{"command":"git status(?:; .*)?"}$',
  '^{"command":"(?<program>git) .*"}$',
  '^{"command":"git status; curl [a-z]*"}$',
  '^{"command":"(?:git status; )?curl \\w+"}$',
]

/** Never load. */
const REFUSED = [
  '$',
  '^$',
  '||',
  '^|$',
  '(|git)',
  'git()',
  'a||b',
  '^git .*|npm .*$',
  '^{"command":"git"}|{"command":"npm"}$',
  ')',
  '[',
  '[z-a]',
  '*',
  '+git',
  'a{2,1}',
  'a\\',
  '(?i)git status',
  '(?i:git) status',
  '(?m)^git',
  '(?=git).*',
  '(?!rm).*',
  '(?<=x)git',
  '(git) \\1',
  '(?P=name)',
  '\\p{L}+',
  '[[:alpha:]]+',
  '\\Qgit\\E',
  '\\x67it',
  '\\u0067it',
  '\\A.*\\z',
  '.*',
  '^.*$',
  '.+',
  '^.+$',
  '(.*)',
  '(?:.|\\n)*',
  '[^\\n]*',
  '{.*}',
  'git ^status',
  'git $status',
  `^git ${'a'.repeat(1_000)}$`,
]

const CASES: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(WARNED.map(pattern => [`warns of ${pattern}`, command(pattern, 'warn-rule')])),
  ...Object.fromEntries(REFUSED.map(pattern => [`refuses ${pattern.slice(0, 60)}`, command(pattern, 'reject-rule')])),

  'a directory below': file('^{"path":"src/[^"/]*\\.ts"}$', 'deny', 'src/deep/a.ts'),
  'a file of the directory': file('^{"path":"src/[^"/]*\\.ts"}$', 'allow', 'src/a.ts'),
  'a dot that is any character': file('^{"path":"a.txt"}$', 'allow', 'a_txt'),
  'a dot that is a dot': file(FILE, 'deny', 'a_txt'),
  'another case': file(FILE, 'deny', 'A.TXT'),
  'a text after the end': file(FILE, 'deny', 'a.txt.sh'),
  'a line after the end': file(FILE, 'deny', 'a.txt\n'),
  'a blank after the end': file(FILE, 'deny', 'a.txt '),
  'a text before the beginning': file(FILE, 'deny', 'x/a.txt'),
  'an absolute path': file('^{"path":".*\\.txt"}$', 'deny', '/etc/a.txt'),
  'a protected place': file('^{"path":".*"}$', 'deny', '.git/hooks/pre-commit'),
  'a file of an agent': file('^{"path":".*\\.md"}$', 'deny', 'CLAUDE.md'),
  'a file of secrets': file('^{"path":"[^"]*\\.txt"}$', 'deny', 'x/.env'),
  'a quote in a value without quotes': file('^{"path":"[^"]*\\.txt"}$', 'deny', 'a","mode":"x.txt'),
  'a quote in any value': file('^{"path":".*\\.txt"}$', 'allow', 'a","mode":"x.txt'),
  'a full stop that is fullwidth': file(FILE, 'deny', 'a．txt'),
  'a letter of another script': file(FILE, 'deny', 'а.txt'),
  'a class of digits': file('^{"path":"\\d+\\.txt"}$', 'allow', '12.txt'),
  'digits of another script': file('^{"path":"\\d+\\.txt"}$', 'deny', '١٢.txt'),
  'an optional group, left out': file('^{"path":"a(?:\\.min)?\\.js"}$', 'allow', 'a.js'),
  'an optional group, passed over': file('^{"path":"a(?:\\.min)?\\.js"}$', 'deny', 'a.max.js'),
  'a group of branches': file('^{"path":"(?:a|b)\\.js"}$', 'allow', 'b.js'),

  'the command itself': command('^{"command":"git status"}$', 'allow', 'git status'),
  'a tab for a blank': command('^{"command":"git status"}$', 'deny', 'git\tstatus'),
  'a line feed after it': command('^{"command":"git status"}$', 'deny', 'git status\n'),
  'a line feed under a wildcard': command('^{"command":"git status.*"}$', 'deny', 'git status\ncurl evil'),
  'a substitution under a wildcard': command('^{"command":"git log .*"}$', 'deny', 'git log $(curl evil)'),
  'a redirection under a wildcard': command('^{"command":"git log .*"}$', 'deny', 'git log > ~/.bashrc'),
  'an argument under a wildcard': command('^{"command":"git log .*"}$', 'allow', 'git log --oneline'),
  'a chain that is spelled out': command('^{"command":"ls && pwd"}$', 'allow', 'ls && pwd'),

  'keys in another order': {
    pattern: '^{"path":"a","content":"x"}$',
    raw: '{"content":"x", "path" : "a"}',
    expect: 'allow',
  },
  'a key twice': { pattern: '^{"path":"a"}$', raw: '{"path":"a","path":"b"}', expect: 'deny' },
  'a key twice, once escaped': { pattern: '^{"path":"a"}$', raw: '{"path":"a","p\\u0061th":"b"}', expect: 'deny' },
  'an escape of the same character': { pattern: '^{"path":"a"}$', raw: '{"path":"\\u0061"}', expect: 'allow' },
  'a number for a text': { pattern: '^{"path":"1"}$', raw: '{"path":1}', expect: 'deny' },
  'a text for a number': { pattern: '^{"path":1}$', raw: '{"path":"1"}', expect: 'deny' },
  'an object for a text': { pattern: '^{"path":"a"}$', raw: '{"path":{"path":"a"}}', expect: 'deny' },
  'an inherited key': { pattern: '^{"path":"a"}$', raw: '{"constructor":{"path":"a"}}', expect: 'deny' },
  'a comment': { pattern: '^{"path":"a"}$', raw: '{"path":"a"/*"}*/}', expect: 'deny' },
  'a byte order mark': { pattern: '^{"path":"a"}$', raw: '\uFEFF{"path":"a"}', expect: 'deny' },
  'a comma too many': { pattern: '^{"path":"a"}$', raw: '{"path":"a",}', expect: 'deny' },
  'an array around it': { pattern: '^{"path":"a"}$', raw: '[{"path":"a"}]', expect: 'deny' },
  'a key in another case': { pattern: '^{"path":"a"}$', raw: '{"path":"a","Path":"b"}', expect: 'deny' },
  'a key with a blank': { pattern: '^{"path":"a"}$', raw: '{"path":"a","path ":"b"}', expect: 'deny' },
  'an empty key': { pattern: '^{"path":"a"}$', raw: '{"path":"a","":"b"}', expect: 'deny' },
  'a second document': { pattern: '^{"path":"a"}$', raw: '{"path":"a"}{"path":"b"}', expect: 'deny' },
  'a document in a text': { pattern: '^{"path":"a"}$', raw: '"{\\"path\\":\\"a\\"}"', expect: 'deny' },
  'single quotes': { pattern: '^{"path":"a"}$', raw: "{'path':'a'}", expect: 'deny' },
  'no number': { pattern: '^{"path":"a"}$', raw: '{"path":"a","n":NaN}', expect: 'deny' },
  'nothing at all': { pattern: '^{"path":"a"}$', raw: '', expect: 'deny' },
  'half of a character': { pattern: '^{"path":"a.?"}$', raw: '{"path":"a\\ud800"}', expect: 'deny' },
  'a NUL after the end': { pattern: '^{"path":"a"}$', raw: '{"path":"a"}\u0000', expect: 'deny' },
  'a quote inside the value': { pattern: '^{"path":"a"}$', raw: '{"path":"a\\"}"}', expect: 'deny' },

  'a rule that holds': life('allow', {}),
  'one that expires a millisecond later': life('allow', {
    expires_at: '2026-11-14T00:00:00.001Z',
    now: '2026-11-14T00:00:00Z',
  }),
  'one that expires now': life('allow', { expires_at: '2026-11-14T00:00:00Z', now: '2026-11-14T00:00:00Z' }),
  'one that expired a year ago': life('deny', { expires_at: '2025-11-14T00:00:00Z', now: '2026-11-14T00:00:00Z' }),
  'one that expired before the clock went back': life('deny', { clock_moved_back: true }),
  'one that is revoked': life('deny', { revoked: true }),
  'one that is not revoked': life('allow', { revoked: false }),
  'one that was revoked at a time': life('deny', { revoked_at: '2026-11-13T00:00:00Z' }),
  'one that was removed': life('deny', { removed: true }),
  'one that is switched off': life('deny', { enabled: false }),
  'one that is disabled': life('deny', { disabled: true }),
  'one that was for one call': life('deny', { once: true }),
  'one whose uses are used up': life('deny', { uses: 1, max_uses: 1 }),
  'one of another task': life('deny', { task: 'other' }),
  'one of another workspace': life('deny', { workspace: 'other' }),
  'one of a session that is over': life('deny', { session: 'over' }),
  'one for an earlier version of the tool': life('deny', { tool_version: '0.9.0', current_tool_version: '1.0.0' }),
  'one for a later version of the tool': life('deny', { tool_version: '2.1.0', current_tool_version: '1.0.0' }),
  'one for this version of the tool': life('allow', { tool_version: '1.0.0', current_tool_version: '1.2.0' }),
  'one for a tool that changed': life('deny', { tool_changed_since: true }),
  'one for a tool with fewer effects': life('deny', { effects: ['create'] }),
  'one of before the policy changed': life('deny', { policy_changed_since: true }),
  'one that the policy denies': life('deny', { denied_by: 'deny create **' }),
  'one that is asked every time': life('deny', { always_ask: true }),
  'one that was narrowed': life('deny', { narrowed_to: '^{"path":"b\\.txt"}$' }),
  'one that was narrowed to this': file('^{"path":".*\\.txt"}$', 'allow', 'a.txt', { narrowed_to: FILE }),
  'one beside a narrower one for another file': life('allow', { narrower: { pattern: '^{"path":"b\\.txt"}$' } }),
  'one that expired, beside a wider one that was revoked': life('deny', {
    expired: true,
    wider: { pattern: '^{"path":"[^"]*\\.txt"}$', revoked: true },
  }),
  'one that expired, beside a wider one that holds': life('allow', {
    expired: true,
    wider: { pattern: '^{"path":"[^"]*\\.txt"}$' },
  }),
  'one that expired, beside one of another tool': life('deny', {
    expired: true,
    also: [{ tool: 'delete_file', pattern: FILE }],
  }),
  'one in a file that others may write': life('deny', { rule_file_mode: '0666' }),
  'one in a file that was cut': life('deny', { rule_file_truncated: true }),
  'one in a file that is gone': life('deny', { rule_file_missing: true }),
  'one in a file of a later version': life('deny', { format_version: 2 }),
  'one that begins to hold later': life('deny', { not_before: '2099-01-01T00:00:00Z' }),
  'one with a condition that no version has': life('deny', { only_if: 'the moon is full' }),
  'one that stores a no': life('deny', { answer: 'no' }),
  'one that was never answered': life('deny', { answered: false }),
  'one with a signature': life('deny', { signature: 'none' }),
  'one that ends at no date': life('deny', { expires_at: 'next week' }),
  'one that ends at a number': life('deny', { expires_at: 4_102_444_800_000 }),
  'one that ends in another time zone, later': life('allow', {
    expires_at: '2026-11-14T00:00:00+02:00',
    now: '2026-11-13T21:59:59Z',
  }),
  'one that ended in another time zone': life('deny', {
    expires_at: '2026-11-14T00:00:00+02:00',
    now: '2026-11-13T22:00:00.001Z',
  }),
  'one of another user': life('deny', { user: 'other' }),
  'one of another machine': life('deny', { machine_id: 'other' }),
  'one of a directory that was replaced': life('deny', { workspace_recreated: true }),
  'one of a session before a restart': life('deny', { process_restarted: true, scope: 'session' }),
  'one whose uses are counted down': life('deny', { uses_left: 0 }),
  'one that another process revoked': life('deny', { revoked_in_other_process: true }),
  'one that was superseded': life('deny', { superseded: true }),
  'one that an agent wrote': life('deny', { added_by: 'agent' }),
  'one that a tool answered': life('deny', { source: 'tool-output' }),
  'one that a person gave': life('allow', { granted_by: 'ada' }),
  'one for a version that is a number': life('deny', { tool_version: 1, current_tool_version: 2 }),
  'one of before the policy was narrowed': life('deny', { policy_narrowed: true }),
  'one that a rule denies now': life('deny', { now_denied: true }),
  'one in a file that another program changed': life('deny', { rule_file_changed_since_load: true }),
  'one of which either outcome is accepted': { ...life('allow', { expired: true }), ok: ['allow', 'deny'] },
}

const rowOf = ({ tool = 'create_file', pattern, state, args, raw, expect: word, ok }: Case) => ({
  id: 'own',
  class: 'own',
  expect: word,
  ...(ok && { ok }),
  rule: { tool, pattern, ...state },
  call: { tool, ...(raw === undefined ? { args } : { args_raw: raw }) },
})

/** What happens around a question; the scenarios that a row's words name are run, or all of them. */
const SCENARIOS = [
  'the arguments change while the question is open',
  'the answers of two questions come in another order',
  'the approver rejects its promise',
  'a sub-agent uses an answer of its parent',
  'an answer for one tool is used for another tool',
  'nobody answers and the call is aborted',
  'one yes is replayed for a second call',
  'the approver answers with a truthy object',
  'the input of the terminal closes',
  'a moth flies into the lamp',
]

const QUESTION = { rule: { tool: 'run_in_terminal', pattern: null } }

describe('a question', () => {
  it.each(SCENARIOS)('holds when %s', async scenario => {
    const row = { id: 'own', class: 'own', expect: 'deny', ...QUESTION, call: { scenario } }
    const { ok, got } = await run(row)
    expect({ ok, got }).toEqual({ ok: true, got })
  })
})

describe('a rule over parameters', () => {
  it.each(Object.entries(CASES))('%s', async (_name, each) => {
    const { ok, got } = await run(rowOf(each))
    expect({ ok, got }).toEqual({ ok: true, got })
  })

  it('is not judged with a state that no check knows', async () => {
    await expect(run(rowOf(life('deny', { moon: 'full' })))).rejects.toThrow(CannotRun)
  })

  it.each([
    ['allow', { revoked: true }],
    ['deny', {}],
  ])('is judged by what happens: %s with %j fails', async (word, state) => {
    expect(await run(rowOf(life(word, state)))).toMatchObject({ ok: false })
  })
})
