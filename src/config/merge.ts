import { ACTIONS, DEFAULTS } from './defaults.ts'
import type { BudgetScope, ConfigFile, GithubConfig, LanguageServer, Validator } from './schema.ts'
import type { AgentConfig } from './agent.ts'
import type { MemoryConfig, MemoryRules } from './memory.ts'
import type { BudgetRule } from '../guards/budget.ts'
import { commandOf, listedCommands, namedRules, type WrittenRule } from '../guards/policy/written-rules.ts'
import { parsePermission } from '../guards/policy/permission.ts'
import { DEFAULT_VERDICTS } from '../guards/policy/policy.ts'
import type { Rule } from '../guards/policy/rule.ts'
import { isStricter, type Verdict } from '../guards/verdict.ts'
import type { Action } from '../kernel/claim.ts'
import type { EffectsRules } from '../kernel/edit-effects.ts'
import type { JsonSchema } from '../kernel/json-schema.ts'
import type { Notification } from '../machine/process/notify.ts'
import type { EngineSettings } from '../engines/settings.ts'

const DAY = 86_400_000
const MINUTE = 60_000
const MEGABYTE = 1024 ** 2

/** The effective configuration: user and project together, with every default filled in. */
export interface Config {
  readonly policy: { readonly defaults: Readonly<Record<Action, Verdict>>; readonly rules: readonly Rule[] }
  readonly permissions: readonly string[]
  readonly limits: { readonly answerBytes: number; readonly commands: CommandLimits }
  readonly sandbox: 'on' | 'off'
  readonly github?: GithubConfig
  /** Repositories by the name of their product. */
  readonly products: Readonly<Record<string, GithubConfig>>
  /** What each engine that has settings reads of them. */
  readonly engines: EngineSettings
  readonly agent: AgentConfig
  readonly budgets: readonly BudgetRule[]
  /** Timeouts of calls in milliseconds, by the names of tools. */
  readonly timeouts: Readonly<Record<string, number>>
  readonly loadMs: number
  readonly secrets: { readonly env: readonly string[]; readonly file?: string }
  /** JSON Schemas of outputs by their names. */
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly validators: readonly Validator[]
  /** The user's first: the first server that supports a file is used. */
  readonly languageServers: readonly LanguageServer[]
  readonly effects: EffectsRules
  readonly memory: MemoryRules
  readonly plans: { readonly require: readonly string[] }
  readonly justifications: 'record' | 'require'
  /** Names of tools that programs provide. */
  readonly tools: readonly string[]
  readonly approvals: { readonly expireMs: number; readonly notify?: Notification }
  readonly state: { readonly maxBytes: number; readonly maxAgeMs: number }
  readonly resident: { readonly idleMs: number; readonly memoryBytes: number }
}

type CommandLimits = Readonly<Record<keyof typeof DEFAULTS.commands, number>>

export interface Merged {
  readonly config: Config
  /** What was left out of the project's file, and why; one line each. */
  readonly notes: readonly string[]
}

/**
 * Merges the configuration. Until the user trusts it, the project's file only narrows: settings that would allow, run,
 * reveal or raise something are left out with a note. `engines` names those with settings.
 */
export function mergeConfig(
  user: ConfigFile = {},
  project: ConfigFile = {},
  trusted = false,
  engines: readonly (keyof EngineSettings)[] = [],
): Merged {
  const notes: string[] = []
  const leftOut = (what: string): void =>
    void notes.push(`${what} in the project's configuration is ignored until you trust it`)
  const given = trusted ? project : narrow(user, project, leftOut)
  if (project.sandbox) notes.push(`'sandbox' in the project's configuration is ignored: only your own file can set it`)
  // The named address gets the token, so no repository may name it.
  for (const key of ['github', 'products', 'agent', ...engines] as const)
    if (project[key]) notes.push(`'${key}' in the project's configuration is ignored: only your own file can set it`)
  // The named server gets the text of errors, and a token.
  for (const key of ['chroma', 'embedder'] as const)
    if (project.memory?.[key])
      notes.push(`'memory.${key}' in the project's configuration is ignored: only your own file can set it`)
  // The command would run outside the sandbox.
  if (project.approvals?.notify)
    notes.push(`'approvals.notify' in the project's configuration is ignored: only your own file can set it`)
  const givenPermissions = [...new Set(given.permissions)].filter(each => !user.permissions?.includes(each))
  const rules = [
    ...namedRules(rulesOf(user), 'user'),
    ...namedRules(rulesOf(given), 'project', trusted ? undefined : true),
    ...namedRules(givenPermissions.filter(isReading).map(asWritten), 'project'),
  ]
  const file = given.secrets?.file ?? user.secrets?.file
  const config: Config = {
    policy: { defaults: { ...defaultsOf(user, DEFAULT_VERDICTS), ...defaultsOf(given, {}) }, rules },
    permissions: [...new Set([...(user.permissions ?? []), ...givenPermissions.filter(each => !isReading(each))])],
    limits: {
      answerBytes: given.limits?.answerBytes ?? user.limits?.answerBytes ?? DEFAULTS.answerBytes,
      commands: commandLimits(name => given.limits?.commands?.[name] ?? user.limits?.commands?.[name]),
    },
    sandbox: user.sandbox ?? 'on',
    ...(user.github && { github: user.github }),
    products: user.products ?? {},
    engines: Object.fromEntries(engines.map(name => [name, user[name]])),
    agent: user.agent ?? {},
    budgets: [
      ...(user.budgets ?? []).filter(mine => !(trusted && given.budgets?.some(theirs => isSameScope(mine, theirs)))),
      ...(given.budgets ?? []),
    ],
    timeouts: { ...user.timeouts, ...given.timeouts },
    loadMs: given.loadMs ?? user.loadMs ?? DEFAULTS.loadMs,
    secrets: {
      env: [...new Set([...(user.secrets?.env ?? []), ...(given.secrets?.env ?? [])])],
      ...(file && { file }),
    },
    schemas: { ...given.schemas, ...user.schemas },
    validators: [...(user.validators ?? []), ...(given.validators ?? [])],
    languageServers: [...(user.languageServers ?? []), ...(given.languageServers ?? [])],
    effects: {
      mode: given.effects?.mode ?? user.effects?.mode ?? DEFAULTS.effects.mode,
      deadlineMs: given.effects?.deadlineMs ?? user.effects?.deadlineMs ?? DEFAULTS.effects.deadlineMs,
      refuse: [user, given].some(one => one.effects?.refuse === 'new-errors') ? 'new-errors' : DEFAULTS.effects.refuse,
    },
    memory: mergeMemory(user.memory, given.memory),
    plans: { require: [...new Set([...(user.plans?.require ?? []), ...(given.plans?.require ?? [])])] },
    justifications: [user, given].some(one => one.justifications === 'require') ? 'require' : 'record',
    tools: [...new Set([...(user.tools ?? []), ...(project.tools ?? [])])],
    approvals: {
      expireMs: (given.approvals?.expireDays ?? user.approvals?.expireDays ?? DEFAULTS.expireDays) * DAY,
      ...(user.approvals?.notify && { notify: notificationOf(user.approvals.notify) }),
    },
    state: {
      maxBytes: given.state?.maxBytes ?? user.state?.maxBytes ?? DEFAULTS.stateBytes,
      maxAgeMs: (given.state?.maxAgeDays ?? user.state?.maxAgeDays ?? DEFAULTS.stateDays) * DAY,
    },
    resident: {
      idleMs: residentOf(user, given, 'idleMinutes') * MINUTE,
      memoryBytes: residentOf(user, given, 'memoryMB') * MEGABYTE,
    },
  }
  return { config, notes }
}

const notificationOf = ({
  afterSeconds = DEFAULTS.notifySeconds,
  ...to
}: NonNullable<NonNullable<ConfigFile['approvals']>['notify']>): Notification => ({
  afterMs: afterSeconds * 1000,
  ...to,
})

/** Merges both files. Either can switch hints off; only the user's own names servers. */
const mergeMemory = (user: MemoryConfig = {}, project: MemoryConfig = {}): MemoryRules => ({
  hints: [user, project].every(one => one.hints ?? DEFAULTS.memory.hints),
  hintMs: project.hintMs ?? user.hintMs ?? DEFAULTS.memory.hintMs,
  ...(user.chroma && { chroma: user.chroma }),
  ...(user.embedder && { embedder: user.embedder }),
})

/** A project's own grant for reading is kept, because it opens no file that holds secrets. */
const isReading = (permission: string): boolean => parsePermission(permission).action === 'read'

function asWritten(permission: string): WrittenRule {
  const { action, path, verdict } = parsePermission(permission)
  return { id: permission, action, path, verdict }
}

const residentOf = (user: ConfigFile, given: ConfigFile, name: keyof typeof DEFAULTS.resident): number =>
  given.resident?.[name] ?? user.resident?.[name] ?? DEFAULTS.resident[name]

const rulesOf = ({ policy }: ConfigFile): readonly WrittenRule[] => [
  ...(policy?.rules ?? []),
  ...listedCommands(policy?.commands),
]

const COMMAND_LIMITS = [
  'timeoutMs',
  'cpuSeconds',
  'memoryBytes',
  'processes',
  'fileBytes',
  'outputBytes',
  'tmpBytes',
  'writtenBytes',
] as const

const commandLimits = (given: (name: keyof CommandLimits) => number | undefined): CommandLimits => {
  const { timeoutMs, cpuSeconds, memoryBytes, processes, fileBytes, outputBytes, tmpBytes, writtenBytes } =
    DEFAULTS.commands
  return {
    timeoutMs: given('timeoutMs') ?? timeoutMs,
    cpuSeconds: given('cpuSeconds') ?? cpuSeconds,
    memoryBytes: given('memoryBytes') ?? memoryBytes,
    processes: given('processes') ?? processes,
    fileBytes: given('fileBytes') ?? fileBytes,
    outputBytes: given('outputBytes') ?? outputBytes,
    tmpBytes: given('tmpBytes') ?? tmpBytes,
    writtenBytes: given('writtenBytes') ?? writtenBytes,
  }
}

/** Returns the part of a project's file that only adds strictness. */
function narrow(user: ConfigFile, project: ConfigFile, leftOut: (what: string) => void): ConfigFile {
  for (const permission of project.permissions ?? []) leftOut(`permission '${permission}'`)
  for (const { name } of project.validators ?? []) leftOut(`validator '${name}'`)
  for (const { language } of project.languageServers ?? []) leftOut(`language server '${language}'`)
  // An expression in a schema can take forever.
  for (const name of Object.keys(project.schemas ?? {})) leftOut(`schema '${name}'`)
  for (const name of project.secrets?.env ?? []) leftOut(`secret '${name}'`)
  if (project.secrets?.file) leftOut(`secrets file '${project.secrets.file}'`)
  // Servers that a user left off are not started for a repository, and reporting less is not stricter.
  if (project.effects?.mode) leftOut(`'effects.mode'`)
  if (project.effects?.deadlineMs !== undefined) leftOut(`'effects.deadlineMs'`)
  // A longer timeout is more than was agreed, and one too short for anything is a way to blind.
  if (project.timeouts) leftOut("'timeouts'")
  if (project.loadMs !== undefined) leftOut("'loadMs'")
  // A low bound is no help either: it would drop the journal and what undo needs.
  if (project.state) leftOut("'state'")
  const current = defaultsOf(user, DEFAULT_VERDICTS)
  const wanted = defaultsOf(project, {})
  const stricter = ACTIONS.flatMap((name): [Action, Verdict][] => {
    const given = wanted[name]
    if (given === undefined) return []
    const isSaid = project.policy?.defaults?.[name] ?? (name === 'exec' && project.policy?.commands?.default)
    if (isStricter(current[name], given) && isSaid) leftOut(`default '${given}' for ${name}`)
    return isStricter(given, current[name]) ? [[name, given]] : []
  })
  const rules = (project.policy?.rules ?? [])
    .map((given, index) => ({ ...given, id: given.id ?? String(index + 1) }))
    .filter(given => {
      if (given.verdict === 'allow') leftOut(`rule '${given.id}', which allows,`)
      return given.verdict !== 'allow'
    })
  const { allow = [], ask, deny } = project.policy?.commands ?? {}
  for (const one of allow) leftOut(`the command '${commandOf(one)}', which is allowed,`)
  const lower = (what: string, mine: number, theirs: number | undefined): number | undefined => {
    if (theirs !== undefined && theirs > mine) leftOut(`the higher ${what}`)
    return theirs === undefined || theirs > mine ? undefined : theirs
  }
  return {
    policy: { defaults: Object.fromEntries(stricter), rules, commands: { ask, deny } },
    limits: {
      answerBytes: lower(
        'limits.answerBytes',
        user.limits?.answerBytes ?? DEFAULTS.answerBytes,
        project.limits?.answerBytes,
      ),
      commands: Object.fromEntries(
        COMMAND_LIMITS.map(name => [
          name,
          lower(
            `limits.commands.${name}`,
            user.limits?.commands?.[name] ?? DEFAULTS.commands[name],
            project.limits?.commands?.[name],
          ),
        ]),
      ),
    },
    budgets: project.budgets?.map(theirs => {
      const mine = user.budgets?.find(given => isSameScope(given, theirs))
      const least = (what: 'calls' | 'bytes' | 'concurrent'): number | undefined =>
        lower(`budget of ${what}`, mine?.[what] ?? Infinity, theirs[what])
      return { ...theirs, calls: least('calls'), bytes: least('bytes'), concurrent: least('concurrent') }
    }),
    effects: { refuse: project.effects?.refuse },
    memory: {
      hints: project.memory?.hints,
      hintMs: lower('memory.hintMs', user.memory?.hintMs ?? DEFAULTS.memory.hintMs, project.memory?.hintMs),
    },
    plans: project.plans,
    resident: {
      idleMinutes: lower(
        'resident.idleMinutes',
        user.resident?.idleMinutes ?? DEFAULTS.resident.idleMinutes,
        project.resident?.idleMinutes,
      ),
      memoryMB: lower(
        'resident.memoryMB',
        user.resident?.memoryMB ?? DEFAULTS.resident.memoryMB,
        project.resident?.memoryMB,
      ),
    },
    justifications: project.justifications,
    approvals: {
      expireDays: lower(
        'approvals.expireDays',
        user.approvals?.expireDays ?? DEFAULTS.expireDays,
        project.approvals?.expireDays,
      ),
    },
  }
}

const isSameScope = (one: BudgetScope, other: BudgetScope): boolean =>
  one.tool === other.tool && one.task === other.task

/** The default of `write` applies to `create` unless given; the default of the command lists is that of `exec`. */
function defaultsOf<Base extends Partial<Record<Action, Verdict>>>(
  file: ConfigFile,
  base: Base,
): Base & Partial<Record<Action, Verdict>> {
  const given = file.policy?.defaults ?? {}
  const create = given.create ?? given.write
  const exec = file.policy?.commands?.default ?? given.exec
  return { ...base, ...given, ...(create && { create }), ...(exec && { exec }) }
}
