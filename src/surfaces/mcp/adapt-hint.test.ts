import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ToolError } from '../../kernel/error.ts'
import { COMMANDS } from '../cli/help.ts'
import { adaptAnswer } from './adapt-answer.ts'
import { adaptHint } from './adapt-hint.ts'

const SOURCE = join(import.meta.dirname, '../..')
const COMMAND = new RegExp(`\\btoolwright (?:${Object.keys(COMMANDS).join('|')})\\b`, 'g')

/** Every line of the source that says something of a command, but for comments, descriptions, and what only people and programs read. */
const saidOfCommands = (): readonly string[] =>
  globSync('**/*.ts', { cwd: SOURCE })
    .filter(
      path =>
        !/\.test\.ts$|^(testing|machine\/process\/notify|surfaces\/(agent|cli|http|page|mcp\/adapt-hint))\b/.test(path),
    )
    .flatMap(path => readFileSync(join(SOURCE, path), 'utf8').split('\n'))
    .filter(line => line.match(COMMAND) && !/^\s*(\/\/|\/?\*|\.describe\()/.test(line))

/** Commands that a text tells its reader to run, and not a person. */
const commandsIn = (text: string): readonly string[] =>
  [...text.matchAll(COMMAND)]
    .filter(({ index }) => !/\bperson\b[^.;:]*$/.test(text.slice(0, index)))
    .map(([command]) => command)

it('tells a model of no command that it could not run, whatever hint of the source it is', () => {
  const lines = saidOfCommands()
  expect(lines.length).toBeGreaterThan(10)
  expect(lines.flatMap(commandsIn).length).toBeGreaterThanOrEqual(lines.length)
  expect(lines.map(line => adaptHint(line)).filter(line => commandsIn(line).length > 0)).toEqual([])
})

it('says so in every sentence of an answer, and leaves the texts of files as they are', () => {
  const said = 'Ask again: in a workspace process (toolwright up) the work continues'
  const data = {
    why: said,
    unknown: [said],
    matches: [{ text: said }],
    possible: [{ why: said }],
    rows: [{ why: said }],
  }
  const meta = { changed: [], warnings: [said] }
  const answered = adaptAnswer(
    { outcome: { ok: true, data, meta } as never, answer: { ok: true, data, meta } },
    new Map(),
  )
  const here = adaptHint(said)
  const told = {
    data: { why: here, unknown: [here], matches: [{ text: said }], possible: [{ why: here }], rows: [{ why: said }] },
    meta: { changed: [], warnings: [here] },
  }
  expect(here).not.toBe(said)
  expect([answered.outcome, answered.answer]).toEqual([
    { ok: true, ...told },
    { ok: true, ...told },
  ])
})

it.each([
  [
    "It needs the permission fs:write:a: add it to the permissions of the session (--allow 'fs:write:a' on the command line)",
    "It needs the permission fs:write:a: add it to the permissions of the session (a person adds --allow 'fs:write:a' to the command that starts this server)",
  ],
  [
    "Grant it beforehand with the permissions a, b (--allow 'a' --allow 'b' on the command line)",
    "Grant it beforehand with the permissions a, b (a person adds --allow 'a' --allow 'b' to the command that starts this server)",
  ],
  [
    'Run it where a person can answer, or answer beforehand with --yes on the command line',
    'Run it where a person can answer',
  ],
  [
    'Ask again: in a workspace process (toolwright up) the work continues',
    'Ask again: in a workspace process the work continues',
  ],
  [
    'To use it, open the toolkit without readOnly, or leave out --read-only on the command line',
    'To use it, open the toolkit without readOnly, or have a person leave out --read-only in the command that starts this server',
  ],
  [
    'Run it where a person can answer; the same call with --plan p1 then lands this result',
    'Run it where a person can answer',
  ],
  ['Begin one first: stage begin', 'Begin one first: stage {"action":"begin"}'],
  ['toolwright log shows what was done here', 'Have a person run toolwright log, which shows what was done here'],
  [
    'Ask again: it is started anew. toolwright doctor lists the language servers',
    'Ask again: it is started anew. Have a person run toolwright doctor, which lists the language servers',
  ],
  ['Ask again; toolwright up --status says how it is', 'Ask again'],
  [
    'It needs the permissions a, b: add them to the session (--allow on the command line)',
    'It needs the permissions a, b: add them to the session (a person adds --allow to the command that starts this server)',
  ],
  ['Look for it with grep', 'Look for it with grep'],
  [
    'a.txt or the input of the call has changed since: look at it again with a new dry run',
    'a.txt or the input of the call has changed since: read it, then make the call again if it is still right',
  ],
  [
    "Look at a.txt, then make a new dry run: plan 'p1' is for the file as it was",
    'Look at a.txt, then make the call again if it is still right',
  ],
])('says in %j what a model can do', (elsewhere, here) => {
  expect(adaptHint(elsewhere)).toBe(here)
})

it.each([
  [{ remember: 'remember' }, 'Record one when the error is fixed'],
  [{}, 'Ask again in other words, or do without it'],
])('names no tool that is not there: %j', (tools, hint) => {
  const error = new ToolError('no_match', 'No past fix was found', { hint: 'Record one when the error is fixed' })
  const { outcome, answer } = adaptAnswer(
    {
      outcome: { ok: false, error, meta: { changed: [] } } as never,
      answer: { ok: false, error: { hint: error.hint } },
    },
    new Map(Object.entries(tools)),
  )
  expect([outcome, answer]).toMatchObject([{ error: { hint } }, { ok: false, error: { hint } }])
})

it.each([
  ['the tool, where there is one', { undo: 'u1' }, { effects: 'effects' }, '; effects {"id":"u1"} waits for it'],
  [
    'the tool by its name among those of several contracts',
    { undo: 'u1' },
    { effects: 'toolwright_effects' },
    '; toolwright_effects {"id":"u1"} waits for it',
  ],
  [
    'all that is staged, in a transaction',
    { undo: 'u1', transaction: 't' },
    { effects: 'effects' },
    '; effects {} waits for it',
  ],
  ['a later answer, where there is no tool', { undo: 'u1' }, {}, '; a later answer tells'],
  ['nothing of a dry run', { dryRun: true }, { effects: 'effects' }, ''],
])('says of effects that are not known yet how to hear of them: %s', (_what, more, tools, said) => {
  const effects = { summary: 'not judged yet: 1 file', complete: false, left: 1 }
  const meta = { changed: ['a.ts'], effects, ...more }
  const { outcome, answer } = adaptAnswer(
    { outcome: { ok: true, data: {}, meta } as never, answer: { meta } },
    new Map(Object.entries(tools)),
  )
  expect([outcome.meta.effects?.summary, answer]).toMatchObject([
    `not judged yet: 1 file${said}`,
    { meta: { effects: { summary: `not judged yet: 1 file${said}` } } },
  ])
})
