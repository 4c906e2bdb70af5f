import { configJsonSchema } from '../../src/config/schema.ts'
import { COMMANDS } from '../../src/surfaces/cli/help.ts'
import { describeCommands, helpText } from '../../src/surfaces/cli/tool-command/describe.ts'
import { code, rowsOf, table } from './schema-table.ts'

/** Replaces the text between `<!-- generated:NAME -->` and `<!-- /generated -->`; the rest of a page stays. */
export function withSections(page: string, sectionOf: (name: string) => string): string {
  return page.replaceAll(
    /(<!-- generated:(\S+) -->\n)[\s\S]*?(<!-- \/generated -->)/g,
    (_whole, open: string, name: string, close: string) => `${open}\n${sectionOf(name)}\n\n${close}`,
  )
}

/** Every key of the configuration. */
export const configurationTable = (): string =>
  table(
    ['key', 'type', '', 'about'],
    rowsOf(Object(configJsonSchema()))
      .filter(({ name }) => name !== '$schema')
      .map(({ name, type, required, about }) => [code(name), type, required ? 'required' : '', about]),
  )

/** Every command with its help, as `toolwright help` prints it. */
export async function commandSections(): Promise<string> {
  const tools = (await describeCommands()).map(one => [
    `## ${one.name}`,
    `Tool: [${code(one.command.tool)}](reference/toolwright.md#${one.command.tool}).`,
    `\`\`\`text\n${helpText(one)}\n\`\`\``,
  ])
  const others = Object.entries(COMMANDS).map(([name, { about, usage, more }]) => [
    `## ${name}`,
    `${about}.`,
    `\`\`\`text\n${more ? `${usage}\n\n${more}` : usage}\n\`\`\``,
  ])
  return [...tools, ...others].flat().join('\n\n')
}
