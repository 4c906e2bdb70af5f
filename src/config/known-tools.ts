import type { Config } from './merge.ts'
import type { Engines } from '../engines/engines.ts'
import type { Contract } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import { isTool } from '../kernel/is-tool.ts'

/** Refuses a configuration that names an unknown tool: a limit on a misspelled name would apply to nothing. */
export async function ensureKnownTools(
  { tools, plans, budgets, timeouts }: Pick<Config, 'tools' | 'plans' | 'budgets' | 'timeouts'>,
  contracts: () => Promise<readonly Contract<Engines>[]>,
): Promise<void> {
  const toolReferences = [
    ...plans.require.map(name => ({ name, where: 'plans.require' })),
    ...budgets.flatMap(({ tool: name }) => (name === undefined ? [] : [{ name, where: 'budgets' }])),
    ...Object.keys(timeouts).map(name => ({ name, where: 'timeouts' })),
  ].filter(({ name }) => name !== '*' && !tools.some(own => name === own || isTool(own, name)))
  if (toolReferences.length === 0) return
  const ids = idsOf(await contracts())
  for (const { name, where } of toolReferences)
    if (!ids.some(id => isTool(name, id))) throw unknownTool(name, ids, where)
}

export const idsOf = (contracts: readonly Contract<Engines>[]): readonly string[] =>
  contracts.flatMap(({ id, tools }) => tools.map(({ name }) => `${id}/${name}`))

/** The message for a name that no tool has. */
export const unknownTool = (name: string, ids: readonly string[], where?: string): ToolError =>
  new ToolError('invalid_input', `There is no tool '${name}'${where === undefined ? '' : `, which ${where} names`}`, {
    hint: `Known tools: ${ids.join(', ')}; a contract as a whole is CONTRACT/*. List tools of your own programs under "tools" in the configuration`,
  })
