import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isPublished } from '../../contracts/published.ts'
import type { Engines } from '../../engines/engines.ts'
import type { AnyTool, Contract } from '../../kernel/contract.ts'
import { mcpForm, type McpForm } from '../../kernel/wire-forms.ts'

type Forms = Readonly<Record<string, McpForm>>

/** The folder of the build with the forms of each published contract, one file each. */
export const FORMS_FOLDER = 'forms'

/** Returns the form of each tool of a contract, by its name. */
export const formsOf = (contract: Contract<Engines>): Forms =>
  Object.fromEntries(contract.tools.map(tool => [tool.name, mcpForm(tool, contract)]))

/** Returns a tool's form. Those of published contracts are stored in the build: deriving all takes a tenth of a second. */
export function formOf(tool: AnyTool<Engines>, contract: Contract<Engines>, from = import.meta.url): McpForm {
  const isStored = isPublished(contract) && contract.tools.includes(tool)
  return (isStored && storedForms(contract.id, from)?.[tool.name]) || mcpForm(tool, contract)
}

const formsByFile = new Map<string, Forms | undefined>()

/** Undefined where nothing is built. */
function storedForms(contract: string, from: string): Forms | undefined {
  // The build puts this code into a folder beside the forms.
  const file = fileURLToPath(new URL(`../${FORMS_FOLDER}/${contract}.json`, from))
  if (!formsByFile.has(file))
    formsByFile.set(file, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)
  return formsByFile.get(file)
}
