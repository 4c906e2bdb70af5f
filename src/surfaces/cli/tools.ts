import type { Engines } from '../../engines/engines.ts'
import type { AnyTool, Contract } from '../../kernel/contract.ts'
import { inputSchema } from '../../kernel/json-schema.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { toolRisk } from '../../kernel/tool.ts'
import { WIRE_FORMS, wireForm, type WireForm } from '../../kernel/wire-forms.ts'
import { expectedKeys } from '../../kernel/validate.ts'
import { loadContract } from '../../toolkit.ts'
import { createRegistry } from '../../runtime/registry.ts'
import { screenOf } from './pager.ts'
import { painter, say, type Terminal } from './terminal.ts'
import { toolCommandOf } from './tool-command/table.ts'
import { EXIT, parse, UsageError } from './usage.ts'

/** `toolwright tools`: lists the tools, for people or in a client's format. */
export async function tools(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('tools', args, {
    contract: { type: 'string' },
    format: { type: 'string' },
    prompt: { type: 'string' },
    'read-only': { type: 'boolean' },
  })
  const contract = await loadContract(values.contract ?? 'toolwright')
  if (values.prompt !== undefined) return prompt(contract, values.prompt, terminal)
  const all = createRegistry(contract.tools, { readOnly: values['read-only'] ?? false }).list()
  const selectedTools = positionals.length === 0 ? all : selectTools(positionals, all, contract.id)
  const form = values.format ?? (values.json ? 'json' : undefined)
  if (form !== undefined) {
    if (!isForm(form)) throw new UsageError(`There is no format '${form}'; there are ${WIRE_FORMS.join(', ')}`, 'tools')
    say(
      terminal,
      terminal.stdout.isTTY
        ? JSON.stringify(
            selectedTools.map(tool => wireForm(tool, form, contract)),
            null,
            2,
          )
        : jsonLine(selectedTools.map(tool => wireForm(tool, form, contract))),
    )
    return EXIT.ok
  }
  const paint = painter(terminal)
  const { page, show } = screenOf(terminal)
  for (const tool of selectedTools) {
    say(page, `${paint('bold', tool.name)} {${expectedKeys(tool.input).join(', ')}}  ${paint('dim', toolRisk(tool))}`)
    say(page, `  ${tool.description}`)
    if (positionals.length === 0) continue
    for (const [key, { description = '' }] of propertiesOf(tool))
      say(page, `    ${paint('bold', key)}${description === '' ? '' : `  ${description}`}`)
  }
  show()
  return EXIT.ok
}

type Listed = AnyTool<Engines>

const propertiesOf = (tool: Listed): readonly (readonly [string, { readonly description?: string }])[] =>
  Object.entries(Object(inputSchema(tool)['properties']))

/** Returns the tools of these names. A command's name stands for its tool. */
function selectTools(names: readonly string[], all: readonly Listed[], contract: string): readonly Listed[] {
  return [...new Set(names)].map(name => {
    const command = contract === 'toolwright' ? toolCommandOf(name)?.command.tool : undefined
    const tool = all.find(one => one.name === name) ?? all.find(one => one.name === command)
    if (tool) return tool
    const toolNames = all.map(one => one.name)
    throw new UsageError(`There is no tool '${name}' in ${contract}`, 'tools', { typed: name, known: toolNames })
  })
}

function prompt({ id, prompts = {} }: Pick<Contract, 'id' | 'prompts'>, name: string, terminal: Terminal): number {
  const make = Object.hasOwn(prompts, name) ? prompts[name] : undefined
  if (!make) {
    const names = Object.keys(prompts)
    const there = names.length > 0 ? `; there are ${names.join(', ')}` : ''
    throw new UsageError(`The contract '${id}' has no prompt '${name}'${there}`, 'tools')
  }
  say(terminal, make().trimEnd())
  return EXIT.ok
}

const isForm = (text: string): text is WireForm => (WIRE_FORMS as readonly string[]).includes(text)
