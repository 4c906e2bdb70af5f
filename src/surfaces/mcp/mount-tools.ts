import type { Engines } from '../../engines/engines.ts'
import type { AnyTool, Contract } from '../../kernel/contract.ts'
import { ToolError } from '../../kernel/error.ts'
import type { McpForm } from '../../kernel/wire-forms.ts'
import type { SessionHandle } from '../../toolkit.ts'
import { formOf } from './stored-forms.ts'
import { isInSet, type ToolSet } from './tool-set.ts'

export interface MountedTool {
  readonly contract: string
  /** The contract's spelling. */
  readonly name: string
  /** Its description, computed when a client first lists tools. */
  readonly form: () => McpForm
  /** Selects the part of an answer to send, if not all. */
  readonly withoutCall?: Contract['withoutCall']
  /** The parameter that names a call's task and is not the tool's own. */
  readonly taskParameter?: string
  /** A rule asks about each use, whatever was answered before. */
  readonly alwaysAsks?: true
}

/** The five documents keep their tools, forms, and JSON as text. Our own are written for models. */
export const isOurs = ({ contract }: Pick<MountedTool, 'contract'>): boolean => contract === 'toolwright'

/** Returns a session's tools by their names on the wire: unchanged for one contract, prefixed for several. */
export async function mountTools(
  session: SessionHandle,
  contracts: readonly string[],
  set?: ToolSet,
): Promise<ReadonlyMap<string, MountedTool>> {
  const ids = contracts.length === 0 ? [undefined] : [...new Set(contracts)]
  const toolsByName = new Map<string, MountedTool>()
  for (const id of ids) {
    const { contract, tools } = await session.offer(id)
    for (const tool of tools) {
      if (isOurs({ contract: contract.id }) && !isInSet(tool.name, set)) continue
      const name = ids.length > 1 ? `${contract.id}_${tool.name}` : tool.name
      if (toolsByName.has(name)) throw new ToolError('exists', `Two tools would be called '${name}'`)
      const taskParameter = session.task === NO_TASK ? contract.taskParameter : undefined
      toolsByName.set(name, {
        contract: contract.id,
        name: tool.name,
        form: () => withTask({ ...formOf(tool, contract), name }, taskParameter),
        ...(contract.withoutCall && { withoutCall: contract.withoutCall }),
        ...(taskParameter && { taskParameter: taskParameter.name }),
        ...((await alwaysAsks(session, tool)) && { alwaysAsks: true }),
      })
    }
  }
  return toolsByName
}

/** Judges a tool by its own examples; without a rule that always asks, none of them is looked at. */
async function alwaysAsks(session: SessionHandle, { name, examples }: AnyTool<Engines>): Promise<boolean> {
  if (examples.length === 0 || !session.policy().rules.all.some(({ always }) => always === true)) return false
  for (const { input } of examples) {
    const { verdict, always } = await session.checkCall(name, input)
    if (verdict !== 'ask' || !always) return false
  }
  return true
}

const NO_TASK = 'default'

function withTask(form: McpForm, taskParameter: Contract['taskParameter']): McpForm {
  if (!taskParameter) return form
  const { properties, ...schema } = form.inputSchema
  const taskProperty = { [taskParameter.name]: { type: 'string', description: taskParameter.description } }
  return { ...form, inputSchema: { ...schema, properties: { ...Object(properties), ...taskProperty } } }
}

/** Separates a call's own input from the task that it names. */
export function taskOf(
  { taskParameter }: MountedTool,
  callInput: Readonly<Record<string, unknown>> = {},
): { readonly input: object; readonly task?: string } {
  if (taskParameter === undefined) return { input: callInput }
  const { [taskParameter]: task, ...input } = callInput
  // Leave an invalid name to the tool, which rejects the parameter.
  return typeof task === 'string' ? { input, task } : { input: callInput }
}
