import type { z } from 'zod'
import { compileGlob } from '../guards/glob.ts'
import { loadCommandParser } from '../guards/policy/command-parser.ts'
import { ensurePathSpelling } from '../guards/policy/foreign-spelling.ts'
import { isAboutCommands, permissionRules } from '../guards/policy/permission.ts'
import { compileRules } from '../guards/policy/rule.ts'
import { listedCommands, namedRules } from '../guards/policy/written-rules.ts'
import { parseStrictJson } from '../guards/strict-json.ts'
import { ToolError } from '../kernel/error.ts'
import { readTarget } from '../kernel/target.ts'
import { ENGINE_SETTINGS, type EngineSettings } from '../engines/settings.ts'
import { withProfile } from './profiles.ts'
import { configJsonSchema, configSchema, type ConfigFile } from './schema.ts'

/** The engines that have settings. */
export const ENGINES = Object.keys(ENGINE_SETTINGS) as readonly (keyof EngineSettings)[]

/** Parses a configuration file; throws `invalid_input` naming file, line, column and what was expected there. */
export async function parseConfig(source: string, name: string): Promise<ConfigFile> {
  const { value, at } = parseStrictJson(source, name)
  const validation = configSchema.safeParse(value)
  if (!validation.success) throw explain(validation.error.issues[0], name, at)
  if (namesCommands(validation.data)) await loadCommandParser()
  try {
    for (const profile of [undefined, ...Object.keys(validation.data.policy?.profiles ?? {})]) {
      const { rules = [], commands: lists } = withProfile(validation.data, profile).policy ?? {}
      compileRules(namedRules([...rules, ...listedCommands(lists)], 'user'))
    }
    permissionRules(validation.data.permissions ?? [])
    for (const connection of [validation.data.github, ...Object.values(validation.data.products ?? {})])
      if (connection?.baseUrl !== undefined) readTarget(connection.baseUrl)
    for (const glob of validation.data.validators?.flatMap(({ globs }) => globs) ?? []) {
      ensurePathSpelling(glob)
      compileGlob(glob)
    }
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause
    throw new ToolError('invalid_input', `${name}: ${cause.message}`, {
      ...(cause.hint && { hint: cause.hint }),
      cause,
    })
  }
  return validation.data
}

const namesCommands = ({ policy, permissions = [] }: ConfigFile): boolean =>
  policy?.commands !== undefined ||
  policy?.profiles !== undefined ||
  (policy?.rules ?? []).some(({ command }) => command !== undefined) ||
  permissions.some(isAboutCommands)

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
  const allowedKeys = keysAt(configJsonSchema(), issue.path).join(', ')
  return new ToolError(
    'invalid_input',
    `${name}:${at([...issue.path, key])}: unknown key '${key}' ${where}; expected ${allowedKeys}`,
    {
      hint: `Remove '${key}', or write one of the expected keys`,
    },
  )
}

/** Returns the keys that the JSON Schema knows at a path. */
function keysAt(node: unknown, path: readonly PropertyKey[]): readonly string[] {
  const [step, ...rest] = path
  const { properties = {}, items } = Object(node)
  if (step === undefined) return Object.keys(properties)
  return keysAt(typeof step === 'number' ? items : properties[step], rest)
}
