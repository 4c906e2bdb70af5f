import { z } from 'zod'
import type { BudgetRule } from './guards/budget.ts'
import { validateGlob } from './guards/glob.ts'
import { permissionRules } from './guards/policy/permission.ts'
import { DEFAULT_VERDICTS } from './guards/policy/policy.ts'
import { compileRules, type Rule } from './guards/policy/rule.ts'
import { isStricter, type Verdict } from './guards/policy/verdict.ts'
import { parseStrictJson } from './guards/strict-json.ts'
import type { Action } from './kernel/claim.ts'
import { ToolError } from './kernel/error.ts'
import { once } from './kernel/once.ts'

const ACTIONS = ['read', 'create', 'write', 'exec', 'net', 'reveal'] as const satisfies readonly Action[]
const DAY = 86_400_000
const ANSWER_BYTES = 262_144
const EXPIRE_DAYS = 90
const STATE_BYTES = 2_000_000_000
const STATE_DAYS = 90
/** Built when a configuration is first read: most workspaces have none, and a call should not wait for it. */
const schemas = once(() => {
  const verdict = z.enum(['allow', 'ask', 'deny'])
  const action = z.enum(ACTIONS)
  const text = z.string().min(1).max(1_000)
  const texts = z.array(text).max(1_000)
  const count = z.int().min(0)

  const byDefault = (name: Action, what: string) =>
    verdict.optional().describe(`${what}. Default: ${DEFAULT_VERDICTS[name]}`)

  const defaults = z.strictObject({
    read: byDefault('read', 'Reading a file'),
    create: verdict.optional().describe('Making a new file. Default: as for write'),
    write: byDefault('write', 'Changing a file'),
    exec: byDefault('exec', 'Running a command'),
    net: byDefault('net', 'Reaching a host'),
    reveal: byDefault('reveal', 'Filling in a secret'),
  })

  const rule = z.strictObject({
    id: z.string().min(1).max(100).optional().describe('A name for messages; default: its number'),
    action: z.union([action, z.literal('*')]).describe('write covers create'),
    path: text.optional().describe('A glob relative to the workspace, such as src/**'),
    command: text.optional().describe('The first words of a command, such as git log; * for every one'),
    host: text.optional().describe('example.com, *.example.com or *, with an optional :port'),
    secret: text.optional().describe('The name of a secret; * stands for any characters'),
    verdict: verdict.describe('Of all rules that match, the strictest counts'),
    why: text.optional().describe('Shown to whoever is asked or refused'),
    match: texts.optional().describe('Examples that the rule must match; checked when it is loaded'),
    notMatch: texts.optional().describe('Examples that the rule must not match; checked when it is loaded'),
    always: z.literal(true).optional().describe('An ask that no remembered approval answers'),
  })

  const validator = z.strictObject({
    name: z.string().min(1).max(100).describe('Shown where it does not pass'),
    command: z.array(z.string().max(10_000)).min(1).max(100).describe('Program and arguments; no shell'),
    globs: texts.min(1).default(['**']).describe('It runs when a change touches one of these'),
    timeoutMs: z.int().min(1).max(3_600_000).default(60_000).describe('It is ended after this time, and did not pass'),
  })

  const budget = z.strictObject({
    tool: text.optional().describe('A tool id such as sage/Read, or sage/*; default: every tool'),
    task: text.optional().describe('A named task; default: every task'),
    calls: count.optional().describe('How many calls'),
    bytes: count.optional().describe('How many bytes all answers may have together'),
    concurrent: z.int().min(1).optional().describe('How many calls at the same time'),
  })

  const file = z.strictObject({
    $schema: z.string().optional(),
    policy: z
      .strictObject({
        defaults: defaults.optional().describe('What holds where no rule matches'),
        rules: z.array(rule).max(1_000).optional().describe('What is allowed, asked or denied'),
      })
      .optional(),
    permissions: texts.optional().describe('Permission strings such as fs:write:src/**'),
    limits: z
      .strictObject({
        answerBytes: z
          .int()
          .min(1_000)
          .optional()
          .describe(`Larger answers are cut to a preview. Default: ${ANSWER_BYTES}`),
      })
      .optional(),
    budgets: z
      .array(budget)
      .max(1_000)
      .optional()
      .describe('Limits of a tool within a task; the lowest of each counts'),
    secrets: z
      .strictObject({
        env: texts.optional().describe('Environment variables that $ENV.NAME may stand for'),
        file: text.optional().describe('A file of secrets outside the workspace'),
      })
      .optional(),
    validators: z.array(validator).max(100).optional().describe('Checks that a commit must pass'),
    plans: z.strictObject({ require: texts.optional().describe('Tools that only run with a plan') }).optional(),
    approvals: z
      .strictObject({
        expireDays: z
          .number()
          .positive()
          .max(36_500)
          .optional()
          .describe(`How long an always is remembered. Default: ${EXPIRE_DAYS}`),
      })
      .optional(),
    state: z
      .strictObject({
        maxBytes: z
          .int()
          .min(1_000_000)
          .optional()
          .describe(`What all state may take on disk. Default: ${STATE_BYTES}`),
        maxAgeDays: z
          .number()
          .positive()
          .max(36_500)
          .optional()
          .describe(`How long state is kept. Default: ${STATE_DAYS}`),
      })
      .optional(),
  })
  return { file, validator, budget }
})

type Schemas = ReturnType<typeof schemas>

/** One configuration file as it is written. */
export type ConfigFile = z.output<Schemas['file']>
export type Validator = z.output<Schemas['validator']>

/** The configuration in force: user and project together, every default filled in. */
export interface Config {
  readonly policy: { readonly defaults: Readonly<Record<Action, Verdict>>; readonly rules: readonly Rule[] }
  readonly permissions: readonly string[]
  readonly limits: { readonly answerBytes: number }
  readonly budgets: readonly BudgetRule[]
  readonly secrets: { readonly env: readonly string[]; readonly file?: string }
  readonly validators: readonly Validator[]
  readonly plans: { readonly require: readonly string[] }
  readonly approvals: { readonly expireMs: number }
  readonly state: { readonly maxBytes: number; readonly maxAgeMs: number }
}

/** The schema as JSON Schema, for editors and documentation. */
export const configJsonSchema = (): unknown => z.toJSONSchema(schemas().file, { io: 'input' })

/** Reads one configuration file's text; throws `invalid_input` with file, line, column and what was expected there. */
export function parseConfig(source: string, name: string): ConfigFile {
  const { value, at } = parseStrictJson(source, name)
  const parsed = schemas().file.safeParse(value)
  if (!parsed.success) throw explain(parsed.error.issues[0], name, at)
  try {
    compileRules(toRules(parsed.data, 'user'))
    permissionRules(parsed.data.permissions ?? [])
    for (const glob of parsed.data.validators?.flatMap(({ globs }) => globs) ?? []) validateGlob(glob)
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause
    throw new ToolError('invalid_input', `${name}: ${cause.message}`, {
      ...(cause.hint && { hint: cause.hint }),
      cause,
    })
  }
  return parsed.data
}

function explain(
  issue: z.core.$ZodIssue | undefined,
  name: string,
  at: (path: readonly PropertyKey[]) => string,
): ToolError {
  if (issue?.code !== 'unrecognized_keys') {
    const path = issue?.path ?? []
    const where = path.length > 0 ? `'${path.map(String).join('.')}': ` : ''
    return new ToolError('invalid_input', `${name}:${at(path)}: ${where}${issue?.message ?? 'not a configuration'}`)
  }
  const [key = ''] = issue.keys
  const where = issue.path.length > 0 ? `in '${issue.path.map(String).join('.')}'` : 'at the top'
  const expected = keysAt(configJsonSchema(), issue.path).join(', ')
  return new ToolError(
    'invalid_input',
    `${name}:${at([...issue.path, key])}: unknown key '${key}' ${where}; expected ${expected}`,
    {
      hint: `Remove '${key}', or write one of the expected keys`,
    },
  )
}

/** The keys that the JSON Schema knows at a path. */
function keysAt(node: unknown, path: readonly PropertyKey[]): readonly string[] {
  const [step, ...rest] = path
  const { properties = {}, items } = Object(node)
  if (step === undefined) return Object.keys(properties)
  return keysAt(typeof step === 'number' ? items : properties[step], rest)
}

const toRules = ({ policy }: ConfigFile, source: 'user' | 'project', narrows?: true): readonly Rule[] =>
  (policy?.rules ?? []).map((given, index) => ({
    ...given,
    id: `${source}:${given.id ?? index + 1}`,
    source,
    ...(narrows && { narrows }),
  }))

export interface Merged {
  readonly config: Config
  /** What of the project's file was left out, and why; one line each. */
  readonly notes: readonly string[]
}

/**
 * The configuration in force. Until the user trusts it, the project's file only narrows: what would allow, run,
 * reveal or raise something is left out with a note.
 */
export function mergeConfig(user: ConfigFile = {}, project: ConfigFile = {}, trusted = false): Merged {
  const notes: string[] = []
  const leftOut = (what: string): void =>
    void notes.push(`${what} in the project's configuration is left out until it is trusted`)
  const given = trusted ? project : narrow(user, project, leftOut)
  const rules = [...toRules(user, 'user'), ...toRules(given, 'project', trusted ? undefined : true)]
  const file = given.secrets?.file ?? user.secrets?.file
  const config: Config = {
    policy: { defaults: { ...defaultsOf(user, DEFAULT_VERDICTS), ...defaultsOf(given, {}) }, rules },
    permissions: [...new Set([...(user.permissions ?? []), ...(given.permissions ?? [])])],
    limits: { answerBytes: given.limits?.answerBytes ?? user.limits?.answerBytes ?? ANSWER_BYTES },
    budgets: [
      ...(user.budgets ?? []).filter(mine => !(trusted && given.budgets?.some(theirs => isSameScope(mine, theirs)))),
      ...(given.budgets ?? []),
    ],
    secrets: {
      env: [...new Set([...(user.secrets?.env ?? []), ...(given.secrets?.env ?? [])])],
      ...(file && { file }),
    },
    validators: [...(user.validators ?? []), ...(given.validators ?? [])],
    plans: { require: [...new Set([...(user.plans?.require ?? []), ...(given.plans?.require ?? [])])] },
    approvals: { expireMs: (given.approvals?.expireDays ?? user.approvals?.expireDays ?? EXPIRE_DAYS) * DAY },
    state: {
      maxBytes: given.state?.maxBytes ?? user.state?.maxBytes ?? STATE_BYTES,
      maxAgeMs: (given.state?.maxAgeDays ?? user.state?.maxAgeDays ?? STATE_DAYS) * DAY,
    },
  }
  return { config, notes }
}

/** The part of a project's file that asks for more care and nothing else. */
function narrow(user: ConfigFile, project: ConfigFile, leftOut: (what: string) => void): ConfigFile {
  for (const permission of project.permissions ?? []) leftOut(`permission '${permission}'`)
  for (const { name } of project.validators ?? []) leftOut(`validator '${name}'`)
  for (const name of project.secrets?.env ?? []) leftOut(`secret '${name}'`)
  if (project.secrets?.file) leftOut(`secrets file '${project.secrets.file}'`)
  // A low bound is no help either: it would wash away the journal and what undo needs.
  if (project.state) leftOut("'state'")
  const current = defaultsOf(user, DEFAULT_VERDICTS)
  const wanted = defaultsOf(project, {})
  const stricter = ACTIONS.flatMap((name): [Action, Verdict][] => {
    const given = wanted[name]
    if (given === undefined) return []
    if (isStricter(current[name], given) && project.policy?.defaults?.[name]) leftOut(`default '${given}' for ${name}`)
    return isStricter(given, current[name]) ? [[name, given]] : []
  })
  const rules = (project.policy?.rules ?? [])
    .map((given, index) => ({ ...given, id: given.id ?? String(index + 1) }))
    .filter(given => {
      if (given.verdict === 'allow') leftOut(`rule '${given.id}', which allows,`)
      return given.verdict !== 'allow'
    })
  const lower = (what: string, mine: number, theirs: number | undefined): number | undefined => {
    if (theirs !== undefined && theirs > mine) leftOut(`the higher ${what}`)
    return theirs === undefined || theirs > mine ? undefined : theirs
  }
  return {
    policy: { defaults: Object.fromEntries(stricter), rules },
    limits: {
      answerBytes: lower('limits.answerBytes', user.limits?.answerBytes ?? ANSWER_BYTES, project.limits?.answerBytes),
    },
    budgets: project.budgets?.map(theirs => {
      const mine = user.budgets?.find(given => isSameScope(given, theirs))
      const least = (what: 'calls' | 'bytes' | 'concurrent'): number | undefined =>
        lower(`budget of ${what}`, mine?.[what] ?? Infinity, theirs[what])
      return { ...theirs, calls: least('calls'), bytes: least('bytes'), concurrent: least('concurrent') }
    }),
    plans: project.plans,
    approvals: {
      expireDays: lower(
        'approvals.expireDays',
        user.approvals?.expireDays ?? EXPIRE_DAYS,
        project.approvals?.expireDays,
      ),
    },
  }
}

const isSameScope = (one: BudgetScope, other: BudgetScope): boolean =>
  one.tool === other.tool && one.task === other.task

type BudgetScope = Pick<z.output<Schemas['budget']>, 'tool' | 'task'>

/** What a file says of `write` holds for `create` unless it says otherwise. */
function defaultsOf<Base extends Partial<Record<Action, Verdict>>>(
  file: ConfigFile,
  base: Base,
): Base & Partial<Record<Action, Verdict>> {
  const given = file.policy?.defaults ?? {}
  const create = given.create ?? given.write
  return { ...base, ...given, ...(create && { create }) }
}
