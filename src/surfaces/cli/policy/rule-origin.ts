import { join } from 'node:path'
import { levelsOf } from '../../../guards/policy/hidden-paths.ts'
import { parseStrictJson } from '../../../guards/strict-json.ts'
import { namedConfig, projectConfig, userConfig } from '../../../machine/state/config-file.ts'
import { configDirectory } from '../../../machine/state/directory.ts'
import type { Toolkit } from '../../../toolkit.ts'
import type { Terminal } from '../terminal.ts'

/** What a rule says, and where a person finds it. */
export interface RuleOrigin {
  readonly id: string
  /** Its verdict and target as one line: `deny exec git push`. */
  readonly says: string
  /** A file with its line, an option, or the id of a stored rule. */
  readonly from: string
  readonly why?: string | undefined
}

/** Returns a function that says where a rule comes from; undefined for ids that no rule of the policy has. */
export function ruleOrigins(
  kit: Toolkit,
  { env }: Pick<Terminal, 'env'>,
  config: string | undefined,
): (id: string) => RuleOrigin | undefined {
  const profile = kit.config.profiles.find(({ enabled }) => enabled)?.profile ?? ''
  const rules = new Map(levelsOf(kit.policy()).flatMap(({ rules: { all } }) => all.map(rule => [rule.id, rule])))
  return id => {
    const rule = rules.get(id)
    if (!rule)
      return id.startsWith('builtin:') ? { id, says: 'a protection that no rule opens', from: 'built in' } : undefined
    const target = rule.path ?? rule.command ?? rule.host ?? rule.secret ?? ''
    const says = `${rule.verdict} ${rule.action}${target === '' ? '' : ` ${target}`}`
    return { id, says, from: placeOf(id) ?? id, why: rule.why }
  }

  function placeOf(id: string): string | undefined {
    const [, kind = '', name = ''] = /^(\w+):([^]*)$/.exec(id) ?? []
    if (kind === 'permission') return `the permission ${name}`
    if (kind === 'deny') return `--deny '${name}'`
    if (kind === 'stored') return `the stored rule ${name} (policy list)`
    if (kind === 'user') {
      const file = config === undefined ? userConfig(configDirectory(env)) : namedConfig(config, kit.root)
      return file && lineOf(file.text, file.path, name, profile)
    }
    const file = kind === 'project' ? projectConfig(kit.root) : undefined
    return file && lineOf(file.text, join('.', 'toolwright.json'), name, profile)
  }
}

/** Returns the file and line of a rule by the name that messages give it. */
function lineOf(text: string, file: string, name: string, profile: string): string {
  const { value, at } = parseStrictJson(text, file)
  const { rules = [], commands = {}, profiles = {} } = Object(Object(value).policy)
  const ruleIndex: number = Array.isArray(rules)
    ? rules.findIndex((rule: unknown, index) => (Object(rule).id ?? String(index + 1)) === name)
    : -1
  if (ruleIndex >= 0) return `${file}:${at(['policy', 'rules', ruleIndex])}`
  const [, verdict = '', command = ''] = /^(allow|ask|deny) ([^]*)$/.exec(name) ?? []
  const places = [
    [commands, ['policy', 'commands', verdict]],
    [Object(profiles)[profile], ['policy', 'profiles', profile, verdict]],
  ] as const
  for (const [lists, path] of places) {
    const list: unknown = Object(lists)[verdict]
    const commandIndex = Array.isArray(list)
      ? list.findIndex((each: unknown) => each === command || Object(each).command === command)
      : -1
    if (commandIndex >= 0) return `${file}:${at([...path, commandIndex])}`
  }
  return file
}
