import { briefly, describeCommands } from '../../src/surfaces/cli/tool-command/describe.ts'

/** The summaries of the commands for tools, which `toolwright help` lists: path from the repository's root, and text. */
export async function commandSummaries(): Promise<readonly [path: string, text: string]> {
  const summaries = Object.fromEntries((await describeCommands()).map(one => [one.name, briefly(one)]))
  return ['src/surfaces/cli/tool-command/summaries.json', `${JSON.stringify(summaries, null, 2)}\n`]
}
