import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Engines } from '../../engines/engines.ts'
import type { Contract } from '../../kernel/contract.ts'
import { rememberInput } from '../../kernel/stored-input.ts'
import { loadForCall } from '../../toolkit.ts'

/** The folder of the build with what is known about the input of each tool of our own contract, one file each. */
export const INPUTS_FOLDER = 'forms/inputs'

/** Loads a contract for one call of this tool, and what the build knows about its input. */
export async function loadTool(id: string, name: string, from = import.meta.url): Promise<Contract<Engines>> {
  const contract = await loadForCall(id, name)
  const tool = id === 'toolwright' ? contract.tools.find(one => one.name === name) : undefined
  if (tool)
    try {
      // The build puts this code into a folder beside the forms.
      const file = fileURLToPath(new URL(`../${INPUTS_FOLDER}/${name}.json`, from))
      rememberInput(tool, JSON.parse(readFileSync(file, 'utf8')))
    } catch {
      // Nothing is built: the schema is derived and matched.
    }
  return contract
}
