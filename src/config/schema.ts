import { z } from 'zod'
import { agent } from './agent.ts'
import { effects, languageServer } from './code.ts'
import { ENGINE_SETTINGS } from '../engines/settings.ts'
import { ACTIONS, DEFAULTS } from './defaults.ts'
import { memory, secretName } from './memory.ts'
import { DEFAULT_VERDICTS } from '../guards/policy/policy.ts'
import type { Action } from '../kernel/claim.ts'

/** Names of verdicts elsewhere. */
const VERDICTS = new Map([
  ...['allow', 'permit', 'yes', 'accept'].map(name => [name, 'allow'] as const),
  ...['ask', 'prompt', 'confirm'].map(name => [name, 'ask'] as const),
  ...['deny', 'forbid', 'forbidden', 'block', 'reject', 'never', 'no'].map(name => [name, 'deny'] as const),
])

const verdict = z.enum(['allow', 'ask', 'deny'], {
  error({ input }) {
    const own = VERDICTS.get(String(input).toLowerCase())
    return own === undefined ? 'expected allow, ask or deny' : `'${String(input)}' is '${own}' here`
  },
})
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

const writes = texts.describe(
  'Globs of what an allowed command may change without a question; [] drops all its changes',
)

const rule = z.strictObject({
  id: z.string().min(1).max(100).optional().describe('A name for messages; default: its number'),
  action: z.union([action, z.literal('*')]).describe('write covers create'),
  path: text.optional().describe('A glob relative to the workspace, such as src/**'),
  command: text.optional().describe('The first words of a command, such as git log; * for every one'),
  host: text.optional().describe('example.com, *.example.com or *, with an optional :port'),
  secret: text.optional().describe('The name of a secret; * stands for any characters'),
  verdict: verdict.describe('Of all rules that match, the strictest counts'),
  why: text.optional().describe('Shown in the question or the refusal'),
  match: texts.optional().describe('Examples that the rule must match; checked when it is loaded'),
  notMatch: texts.optional().describe('Examples that the rule must not match; checked when it is loaded'),
  always: z.literal(true).optional().describe('An ask that no remembered approval answers'),
  writes: writes.optional(),
  depth: z
    .literal('line')
    .optional()
    .describe('A rule that asks or denies a command applies to the line alone, not to what its programs start'),
})

const commands = z.strictObject({
  allow: z
    .array(z.union([text, z.strictObject({ command: text, writes })]))
    .max(1_000)
    .optional()
    .describe(
      'First words of commands that run without a question, such as git log; * for every one; and what they write',
    ),
  ask: texts.optional().describe('First words of commands that a person is asked about'),
  deny: texts.optional().describe('First words of commands that never run'),
  default: verdict.optional().describe('For every other command; replaces defaults.exec'),
})

const validator = z.strictObject({
  name: z.string().min(1).max(100).describe('Shown if it fails'),
  command: z.array(z.string().max(10_000)).min(1).max(100).describe('Program and arguments; no shell'),
  globs: texts.min(1).default(['**']).describe('It runs when a change touches one of these'),
  timeoutMs: z.int().min(1).max(3_600_000).default(60_000).describe('It is stopped after this time, and has failed'),
})

const budget = z.strictObject({
  tool: text
    .optional()
    .describe(
      'A tool such as sage/Read, a contract as sage/*, or a name in every contract as Read; default: all tools',
    ),
  task: text.optional().describe('A named task; default: every task'),
  calls: count.optional().describe('How many calls'),
  bytes: count.optional().describe('How many bytes all answers may have together'),
  concurrent: z.int().min(1).optional().describe('How many calls at the same time'),
})

const github = z.strictObject({
  repository: text.describe('owner/name'),
  ref: text.optional().describe('A branch, tag or commit. Default: the default branch'),
  baseUrl: text
    .optional()
    .describe('The address of the API of GitHub Enterprise, such as https://ghe.example.com/api/v3'),
  token: secretName.optional().describe('The name of a token, as $ENV.NAME'),
  app: z
    .strictObject({
      id: z.union([text, z.int()]).describe('The id or client id of the App'),
      installationId: z.union([text, z.int()]),
      privateKey: secretName.describe('The name of its private key, as $ENV.NAME'),
    })
    .optional()
    .describe('An installation of a GitHub App, in place of a token'),
})

const notify = z
  .strictObject({
    afterSeconds: z
      .number()
      .min(0)
      .max(86_400)
      .optional()
      .describe(`How long a question waits before that. Default: ${DEFAULTS.notifySeconds}`),
    command: z
      .array(z.string().max(10_000))
      .min(1)
      .max(100)
      .optional()
      .describe('Program and arguments; no shell. It runs as you, outside the sandbox, with the question on its input'),
    url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('An address that gets the question as JSON by POST'),
  })
  .refine(({ command, url }) => command !== undefined || url !== undefined, 'expected command or url')

const most = (what: string, value: number) => z.int().min(1).optional().describe(`${what}. Default: ${value}`)

const commandLimits = z.strictObject({
  timeoutMs: most('Milliseconds, unless a call sets its own', DEFAULTS.commands.timeoutMs),
  cpuSeconds: most('Seconds of processor time', DEFAULTS.commands.cpuSeconds),
  memoryBytes: most('Memory of all its processes', DEFAULTS.commands.memoryBytes),
  processes: most('Processes at the same time', DEFAULTS.commands.processes),
  fileBytes: most('The largest file that it writes', DEFAULTS.commands.fileBytes),
  outputBytes: most('What it prints, on both streams', DEFAULTS.commands.outputBytes),
  tmpBytes: most('Space in /tmp', DEFAULTS.commands.tmpBytes),
  writtenBytes: most('Bytes that it writes to the workspace', DEFAULTS.commands.writtenBytes),
})

type OptionalEach<Schemas> = { readonly [Name in keyof Schemas]: z.ZodOptional<Schemas[Name] & z.ZodType> }

const optionalEach = <Schemas extends Readonly<Record<string, z.ZodType>>>(schemas: Schemas): OptionalEach<Schemas> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, schema.optional().describe(schema.description ?? '')]),
  ) as OptionalEach<Schemas>

/** The content of a configuration file. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  policy: z
    .strictObject({
      defaults: defaults.optional().describe('Verdicts if no rule matches'),
      rules: z.array(rule).max(1_000).optional().describe('What is allowed, asked or denied'),
      commands: commands.optional().describe('Rules about commands, in short'),
      profiles: z
        .record(z.string().min(1).max(100), commands)
        .optional()
        .describe('Lists for one environment by its name, added to `commands` where --profile chooses them'),
    })
    .optional(),
  permissions: texts.optional().describe('Permission strings such as fs:write:src/**'),
  limits: z
    .strictObject({
      answerBytes: z
        .int()
        .min(1_000)
        .optional()
        .describe(`Larger answers are cut to a preview. Default: ${DEFAULTS.answerBytes}`),
      commands: commandLimits.optional().describe('Limits of one command; exceeding one ends it'),
    })
    .optional(),
  budgets: z
    .array(budget)
    .max(1_000)
    .optional()
    .describe('Limits within a task, counted over all the tools that each names together'),
  timeouts: z
    .record(text, z.int().min(1).max(3_600_000))
    .optional()
    .describe('Milliseconds that one call of a tool may take, by names as in budgets; the most exact name counts'),
  loadMs: z
    .int()
    .min(1)
    .max(3_600_000)
    .optional()
    .describe(
      `How long a language server or an embedding model may load before a call fails; the time of the call begins after that. Default: ${DEFAULTS.loadMs}`,
    ),
  secrets: z
    .strictObject({
      env: texts.optional().describe('Environment variables that $ENV.NAME may stand for'),
      file: text.optional().describe('A file of secrets outside the workspace'),
    })
    .optional(),
  sandbox: z
    .enum(['on', 'off'])
    .optional()
    .describe('off runs commands without a sandbox; only your own file can set it. Default: on'),
  github: github.optional().describe('The repository that repository tools read; only your own file can set it'),
  products: z
    .record(text, github)
    .optional()
    .describe('Several repositories by the name of their product; only your own file can set it'),
  ...optionalEach(ENGINE_SETTINGS),
  schemas: z
    .record(text, z.record(z.string(), z.unknown()))
    .optional()
    .describe('JSON Schemas by name, which `check` and `validate_output` know'),
  validators: z.array(validator).max(100).optional().describe('Checks that a commit must pass'),
  languageServers: z
    .array(languageServer)
    .max(100)
    .optional()
    .describe('Language servers besides the built-in ones; they run in the sandbox, without network'),
  effects: effects.optional().describe('What a change breaks, as language servers see it'),
  memory: memory.optional().describe('Past fixes, and where they are kept'),
  plans: z
    .strictObject({ require: texts.optional().describe('Tools that only run with a plan, named as in budgets') })
    .optional(),
  justifications: z
    .enum(['record', 'require'])
    .optional()
    .describe('Whether calls that need a justification are refused without one, or only recorded. Default: record'),
  tools: texts
    .optional()
    .describe('Tools of your own programs, such as acme/build or acme/*, that budgets and plans may name'),
  approvals: z
    .strictObject({
      expireDays: z
        .number()
        .positive()
        .max(36_500)
        .optional()
        .describe(`How long an always is remembered. Default: ${DEFAULTS.expireDays}`),
      notify: notify.optional().describe('Who is told that a question waits; only your own file can set it'),
    })
    .optional(),
  state: z
    .strictObject({
      maxBytes: z
        .int()
        .min(1_000_000)
        .optional()
        .describe(`The most disk space for all state. Default: ${DEFAULTS.stateBytes}`),
      maxAgeDays: z
        .number()
        .positive()
        .max(36_500)
        .optional()
        .describe(`How long state is kept. Default: ${DEFAULTS.stateDays}`),
    })
    .optional(),
  agent: agent.optional().describe('Runs of an agent; only your own file can set it'),
  resident: z
    .strictObject({
      idleMinutes: z
        .number()
        .positive()
        .max(10_000)
        .optional()
        .describe(`It ends after this long without use. Default: ${DEFAULTS.resident.idleMinutes}`),
      memoryMB: z
        .int()
        .min(16)
        .max(1_000_000)
        .optional()
        .describe(
          `Megabytes for the contents and the tables of its search index. Default: ${DEFAULTS.resident.memoryMB}`,
        ),
    })
    .optional()
    .describe('The process that holds the index of a workspace (toolwright up)'),
})

/** One configuration file as written. */
export type ConfigFile = z.output<typeof configSchema>
export type Validator = z.output<typeof validator>
export type LanguageServer = z.output<typeof languageServer>
export type GithubConfig = z.output<typeof github>
export type BudgetScope = Pick<z.output<typeof budget>, 'tool' | 'task'>

/** Returns the schema as JSON Schema, for editors and documentation. */
export const configJsonSchema = (): unknown => z.toJSONSchema(configSchema, { io: 'input' })
